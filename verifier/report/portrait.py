"""The part of a report about one certificate: coverage, where its values lie, a sweep, Lemma 10, slack."""

from typing import Any

from gmpy2 import mpq

from verifier.catalogue import DEFAULT
from verifier.core.claim import in_words
from verifier.core.exact import matrix
from verifier.report import pictures
from verifier.report.markup import Html, el, joined, part, table
from verifier.report.mathml import formula
from verifier.report.pictures import number, short
from verifier.report.sources import Source, rational
from verifier.report.steps import every_value, sweep_of
from verifier.report.words import at, checked, commands, cut, matrix_text, sentence, thousands

_SWEPT = ("lemma6.3", "lemma6.4", "lemma10.upper")  # whose tightest case is swept by default
_BELOW = "; each claim below has the verdict that stands with it."  # how a statement ends; the page has them in parts
_MOST_DISBELIEVED = 100  # claims of a rejected file


def portrait(source: Source, k: int, sweep: str | None, *, alone: bool) -> Html:
    head = [el("h2", at(source))]
    if not alone:  # else it is at the top of the page
        head += [el("p", sentence(source)), checked(source)]
    if source.standing == "rejected":
        return el("section", *head, _disbelieved(source), id=f"c{k}", class_="certificate")
    parts = [_coverage(source)]
    if source.paper == DEFAULT and _sane(source):
        parts += [_separation(source, k), _sweep(source, sweep), _lemma10(source), _slack(source)]
    return el("section", *head, *parts, id=f"c{k}", class_="certificate")


def _sane(source: Source) -> bool:
    """Whether pictures can be drawn: always of Lemma 6, if the checker accepted it; never of other papers."""
    named = {name: rational(text) for name, text in source.certificate["constants"].items()}
    if not {"delta", "t_l", "t_r", "lemma10.lower", "lemma10.upper"} <= named.keys():
        return False
    return named["delta"] > 0 and named["t_l"] <= named["t_r"] and 0 < named["lemma10.lower"] <= named["lemma10.upper"]


def _disbelieved(source: Source) -> Html:
    """The contents of a rejected file, marked as not to be believed."""
    claims = source.certificate["claims"][:_MOST_DISBELIEVED]
    rows = [[el("code", claim["id"]), claim["verdict"], cut(claim["statement"], 400)] for claim in claims]
    return el(
        "div",
        el("p", "What the file says, none of which is to be believed: ", cut(source.certificate["statement"])),
        table(["claim", "it says", "statement"], rows, "Claims of a rejected file"),
        class_="disbelieved",
    )


def _coverage(source: Source) -> Html:
    certificate = source.certificate
    names = {
        "category1": "Category 1: pairwise distinct columns",
        "category2": "Category 2: equal columns",
        "category3": "Category 3: with a sentinel",
        "total": "all of G+" if "category1" in certificate["coverage"] else "all",
    }
    coverage = certificate["coverage"]
    counted = {source.several: "orbits"} if source.own else {source.several: "orbits", "matrices": "matrices"}
    rows = [
        [_keyed(key, words), *(thousands(coverage[key][what]) for what in counted.values())]
        for key, words in names.items()
        if key in coverage
    ]
    shares = [(coverage[f"category{c}"]["matrices"], f"c{c}") for c in (1, 2, 3) if f"category{c}" in coverage]
    caption = (
        "Coverage. The bar shows the matrices of each category, in the colours of this table." if shares else "Coverage"
    )
    open_ends = [el("li", cut(words, 400)) for words in certificate["not_covered"][:100]]
    return part(
        el("h3", "What was covered"),
        el(
            "p",
            el("strong", "The file says: ") if source.standing == "unchecked" else None,
            cut(certificate["statement"]).removesuffix(_BELOW),
        ),
        pictures.stacked(shares, "Shares of the three categories in the matrices of G+") if shares else None,
        table(["", *counted], rows, caption) if rows else None,
        el("p", "Not covered:"),
        el("ul", *open_ends),
        el("p", "Check it again:" if source.own else "Run it again, and check it again:"),
        el("pre", commands(source), tabindex=0),
        class_="coverage",
    )


def _keyed(key: str, words: str) -> Html:
    """A row's name, after a patch in the colour of its category in the bar."""
    colour = key.replace("category", "c") if key.startswith("category") else ""
    return joined([el("span", class_=f"key {colour}", aria_hidden="true") if colour else None, words])


def _separation(source: Source, k: int) -> Html:
    certificate = source.certificate
    found = pictures.points(certificate)
    if not found:
        return el(
            "p", "No claim of this certificate names a value of q: ask for lemma6 to see where they lie.", class_="note"
        )
    near = pictures.nearest(certificate, found)
    every = values(source)
    rows = []
    for n in near:
        inside = "equal" if not n.distance else "fails" if n.point.fails else ""
        row = [
            el("span", str(n.number), id=f"n{k}-{n.number}", class_=f"no c{n.point.category}"),
            str(n.point.category),
            el("span", number(n.point.value), class_="number"),
            el("span", *_distance(n), class_=inside or None),
            matrix_text(n.point.matrix),
            el("a", n.point.claim, href=f"#claim-{n.point.claim}"),
        ]
        rows.append(row)
    low, high = (short(certificate["constants"][name]) for name in ("t_l", "t_r"))
    return part(
        el("h3", "Where the values lie"),
        el(
            "p",
            "The values ",
            formula("q(L)_j"),
            " of Category 1 are claimed to lie in ",
            formula("[t_l, t_r)"),
            f" = [{low}, {high}), closed on the left (a solid line) and open on the right (a dashed one), and all"
            " others outside. ",
            pictures.legend(certificate, found, every),
        ),
        el("figure", pictures.separation(certificate, found, every)),
        el("div", *(pictures.zoom(certificate, near, name, f"n{k}") for name in ("t_l", "t_r")), class_="pair"),
        table(
            ["", "category", "value", "distance", "matrix", "claim"],
            rows,
            "The nearest values on each side of the thresholds"
            + ("; red: the first counterexample" if any(n.point.fails for n in near) else ""),
        ),
    )


def values(source: Source) -> pictures.Valued:
    """All values of a small grid, if the checker accepted the certificate."""
    if source.standing != "accepted":
        return []
    variant = {name: rational(text) for name, text in source.variant.items()}
    d, n, N = source.place
    return every_value((d, n, N), variant, source.total["orbits"])


def _distance(n: pictures.Near) -> list[str]:
    if not n.distance:
        return ["equal to ", formula(n.threshold)]
    return [f"{number(abs(n.distance))} {'above' if n.distance > 0 else 'below'} ", formula(n.threshold)]


def swept(source: Source, sweep: str | None) -> tuple[str, list[list[str]]] | None:
    """The claim and the matrix whose sweep is shown: a counterexample before a tightest case."""
    if source.standing != "accepted" or source.paper != DEFAULT:
        return None
    d, n, _ = source.place
    by_id = {claim["id"]: claim for claim in source.certificate["claims"]}
    refuted = [id_ for id_, claim in by_id.items() if claim["verdict"] == "refuted"]
    wanted = [sweep] if sweep is not None else [*refuted, *_SWEPT, *by_id]
    for id_ in wanted:
        if id_ in by_id and id_.partition(".")[0] in ("lemma6", "lemma10", "b5"):
            claim = by_id[id_]
            shown = claim.get("counterexample") or claim.get("tightest") or {}
            X = shown.get("matrix")
            if X and (len(X), len(X[0])) == (d, n):
                return id_, X
    return None


def _sweep(source: Source, sweep: str | None) -> Html:
    chosen = swept(source, sweep)
    if chosen is None:
        return Html()
    id_, X = chosen
    variant = {name: rational(text) for name, text in source.variant.items()}
    d, n, N = source.place
    seen = sweep_of((d, n, N), variant, matrix([[rational(entry) for entry in row] for row in X]))
    if seen is None:
        return el("p", f"The sweep of {_levels(source)} is too long to be drawn here.", class_="note")
    constants = source.certificate["constants"]
    low, high, unit = (rational(constants[name]) for name in ("t_l", "t_r", "delta"))
    axis = pictures.frame_axis(seen.frames, low, high, unit)
    frames = [
        el(
            "figure",
            el("figcaption", el("strong", frame.title, class_="step"), " ", frame.words),
            pictures.frame_picture(frame, axis, low, high),
            el("p", f"{frame.what}: {pictures.ids(frame.after)}", class_="number"),
            class_="frame",
        )
        for frame in seen.frames
    ]
    left_out = f" {seen.left_out} steps in the middle are left out." if seen.left_out else ""
    case = "counterexample" if _claim(source, id_)["verdict"] == "refuted" else "tightest case"
    return part(
        el("h3", "A sweep, step by step"),
        el(
            "p",
            "The ids of the columns of ",
            matrix_text(X),
            f", the {case} of ",
            el("a", id_, href=f"#claim-{id_}"),
            f", level by level, computed by the network itself, all {len(seen.map.network)} attention layers. The last"
            f" step is the global shift.{left_out}",
        ),
        el("div", *frames, class_="sweep"),
    )


def _levels(source: Source) -> str:
    d, _, N = source.place
    return f"{N}^{d} levels"


def _claim(source: Source, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = next(claim for claim in source.certificate["claims"] if claim["id"] == id_)
    return found


def _lemma10(source: Source) -> Html:
    drawn = pictures.lemma10(source.certificate)
    if drawn is None:
        return Html()
    picture, least, greatest = drawn
    constants = source.certificate["constants"]
    low, high = (rational(constants[f"lemma10.{side}"]) for side in ("lower", "upper"))

    shards = len(source.certificate["shards"])
    by = "" if shards == 1 else f" A line for each of the {shards} shards, by rank, from its least to its greatest."
    words = [
        "Over all contexts of Category 1, ",
        formula("l~_n"),
        f" is at least {number(least)}, {_gap(least - low, 'lower', low)}; it is at most {number(greatest)},"
        f" {_gap(high - greatest, 'upper', high)}.{by}",
    ]
    return part(el("h3", "Lemma 10: the largest id after the sweep"), el("p", *words), el("figure", picture))


def _gap(distance: mpq, side: str, bound: mpq) -> str:
    if not distance:
        return f"equal to the {side} bound, which is reached"
    return f"{number(distance)} from the {side} bound {number(bound)}"


def _slack(source: Source) -> Html:
    """By how much each claim holds, in multiples of delta, on a logarithmic scale."""
    unit = rational(source.certificate["constants"]["delta"])
    tight = [(claim, claim["tightest"]) for claim in source.certificate["claims"] if "tightest" in claim]
    if not tight:
        return Html()
    lengths = [pictures.length_of(rational(t["slack"]), unit) for _, t in tight]
    rows = []
    for (claim, t), length in zip(tight, lengths, strict=True):
        zero = t["slack"] == "0"
        rows.append(
            [
                el("a", claim["id"], href=f"#claim-{claim['id']}"),
                formula(in_words(cut(t["relation"], 300))),
                pictures.bar(length, max(lengths)),
                el("span", "◆ 0, equal" if zero else short(t["slack"]), class_="number equal" if zero else "number"),
            ]
        )
    words = "How close each claim comes to failing. Bars: log(1 + slack/δ). Claims that are equalities aren't listed."
    return part(
        el("h3", "Slack: by how much the claims hold"),
        el("p", words),
        table(["claim", "tightest relation", "", "slack"], rows, "Slack by claim", "slack"),
    )
