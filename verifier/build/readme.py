"""README.md beside a network: what it does, its sizes, and what is proved about it, in words."""

from collections.abc import Iterable
from textwrap import fill

from gmpy2 import mpq

from verifier.build.dtype import floor_log2
from verifier.build.plan import Built
from verifier.core.exact import matrix_text

SHOWN = 20  # lost orbits


def number(x: mpq, digits: int = 4) -> str:
    """A rational >= 0 in decimals, rounded up, so that a bound stays one; a small one as a power of two."""
    if 0 < x < mpq(1, 10**digits):
        return f"2^{floor_log2(x) + 1}"
    scaled = x * 10**digits
    up = -(-int(scaled.numerator) // int(scaled.denominator))
    return f"{up // 10**digits}.{up % 10**digits:0{digits}d}"


def short(x: mpq) -> str:
    """A large number, or a small one, in a few characters."""
    text = str(x)
    return text if len(text) <= 20 else f"about 2^{floor_log2(x)}"


def cases_words(b: Built) -> str:
    what = "contexts" if b.positional else "orbits of cells"
    return f"{len(b.kept):,} of {len(b.cases):,} {what}"


def readme(b: Built, files: dict[str, bytes]) -> str:
    i = b.instance
    sizes = [(f"`{name}`", f"{len(data):,} bytes") for name, data in files.items()]
    rows = [
        ("layers", f"{len(b.stack.layers):,}"),
        ("parameters", f"{b.parameters:,}"),
        ("keys (a layer each)", f"{b.keys:,}"),
        ("epsilon, the width of a strip", str(b.epsilon)),
        ("lambda, the factor of the scores", short(b.rate)),
        *sizes,
    ]
    parts = [
        "# A Transformer for f",
        f"```page\n{b.target.text}\n```",
        _wrapped(
            f"Built by `verify build` at (d, n, N) = ({i.d}, {i.n}, {i.N}), form `{b.form}`, in {b.dtype.name}"
            f"{', with positions' if b.positional else ''}. It maps a {i.d} x {i.n} matrix X with entries in [0, 1) to"
            f" a {i.d} x {i.n} matrix. `python model.py` runs it in PyTorch; `model.onnx` takes X and gives Y, both"
            f" (batch, {i.d}, {i.n})."
        ),
        _wrapped(_form(b)),
        "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]),
        "## What is proved of it",
        _wrapped("`certificate.json` has every number, exact; `verify check` derives them again from these files."),
        _numbered(statements(b)),
        *_lost(b),
    ]
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _numbered(items: Iterable[str]) -> str:
    return "\n".join(
        fill(
            item, 120, initial_indent=f"{k}. ", subsequent_indent="   ", break_long_words=False, break_on_hyphens=False
        )
        for k, item in enumerate(items, start=1)
    )


def _form(b: Built) -> str:
    if b.form == "paper":
        return (
            "This is the network of the paper's construction (Yun et al., ICLR 2020), with softmax and four ReLUs for"
            f" each activation, as it stands in {b.theorem}. Its weights in `model.*` are rounded to {b.dtype.name}: it"
            " is a reference, and no network to run in floats."
        )
    return (
        "This is not the paper's network (Yun et al., ICLR 2020), but one with the paper's contextual map (Lemma 6"
        f"{', with the positions of Appendix C' if b.positional else ''}). What differs: the quantiser has weights 1"
        " and -1 and squeezes each cell before it stretches all of them; keys are written in descending order, by"
        " steps that don't come down again; equal columns have keys too; lambda is a power of two so large that floats"
        " lose every losing weight; the output is clipped to the targets' range."
    )


def statements(b: Built) -> list[str]:
    """The four statements in words."""
    i = b.instance
    strip = f"the last {b.epsilon} of the {i.delta} of a cell, in any entry"
    return [
        f"*Exact arithmetic, hardmax.* On {cases_words(b)} the output is the target{_rounded(b)}, at every point of the"
        f" cell but for its strips ({strip}).{_lost_words(b)}",
        f"*Exact arithmetic, softmax.* Every entry is within {number(b.softmax.bound)} of that.",
        f"*{b.dtype.name}.* {_floats(b)}",
        f"*Distance to f.* {_distance(b)}",
    ]


def _rounded(b: Built) -> str:
    """How far targets were rounded, if they were."""
    if b.bits is None or all(case.value is None or b.wanted(case) == case.value for case in b.cases):
        return ""
    return f", rounded to a multiple of 2^-{b.bits}"


def _lost_words(b: Built) -> str:
    lost = len(b.cases) - len(b.kept)
    if not lost:
        return ""
    return (
        f" The other {lost:,}, {number(b.lost_share)} of the cube, are lost: they have repeated columns, whose ids"
        " are those of another orbit or are given no key."
    )


def _floats(b: Built) -> str:
    if isinstance(b.floats, str):
        return f"Nothing is stated: {b.floats}."
    words = (
        f"The weights are numbers of {b.dtype.name}, and no sum off the strips is rounded: at most {b.floats.needed}"
        f" bits are needed, and there are {b.dtype.p}. So statement 1 is true in {b.dtype.name} too, of every matrix of"
        f" its numbers off the strips, if exp(0) = 1 and exp(t) = 0 for t <= -{b.dtype.underflow}."
    )
    if b.floats.excepted:
        words += (
            f" But for {len(b.floats.excepted):,} orbits: there t columns tie, and 1/t is rounded, t no power of two."
        )
    return words


def _distance(b: Built) -> str:
    s = b.distance
    if s is None:
        return f"Not stated: no modulus of continuity follows from the target ({b.target.why})."
    words = (
        f"At most {number(s.sup_kept)} in any entry on kept cells off the strips, {number(s.sup)} anywhere in the cube;"
        f" d_1 <= {number(s.d_1)}, d_2^2 <= {number(s.d_2_squared)}."
    )
    if s.measured is not None:
        m = s.measured
        words += (
            f" Measured: {number(m.sup_kept)} at the vertices of kept cells, d_1 = {number(m.d_1)} and"
            f" d_2^2 = {number(m.d_2_squared)} as means over {m.points:,} points off the strips."
        )
    return words


def _lost(b: Built) -> list[str]:
    lost = [case for case in b.cases if case.rank not in b.kept]
    if not lost:
        return []
    shown = "; ".join(f"[{matrix_text(case.L)}]" for case in lost[:SHOWN])
    more = f"; and {len(lost) - SHOWN:,} more, in `certificate.json`" if len(lost) > SHOWN else ""
    return [
        "## Lost",
        _wrapped(f"The lower corners of the cells where the output need not be the target: {shown}{more}."),
    ]


def summary(b: Built, files: dict[str, bytes], folder: str) -> str:
    """What the command prints."""
    lost = f"; lost: {number(b.lost_share)} of the cube" if len(b.cases) > len(b.kept) else ""
    if isinstance(b.floats, str):
        floats = f"not exact: {b.floats}"
    else:
        but = f", but for {len(b.floats.excepted):,} orbits" if b.floats.excepted else ""
        floats = f"exact off the strips{but}: {b.floats.needed} of {b.dtype.p} bits are needed"
    rows = [
        ("network", f"{len(b.stack.layers):,} layers, {b.parameters:,} parameters, form {b.form}, at {b.instance}"),
        ("exact", f"equal to the target{_rounded(b)}, on {cases_words(b)}{lost}"),
        ("softmax", f"within {number(b.softmax.bound)} of that, lambda = {short(b.rate)}"),
        (b.dtype.name, floats),
        ("distance", _distance(b)),
        ("written", f"{len(files)} files, {sum(map(len, files.values())):,} bytes, in {folder}"),
    ]
    return "\n".join(fill(words, 110, initial_indent=f"{name:<11}", subsequent_indent=" " * 11) for name, words in rows)
