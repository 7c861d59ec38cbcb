"""A trace as text for a terminal, and as JSON."""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from gmpy2 import mpq
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verifier.certificate import canonical, claim_entry, plain
from verifier.core.claim import Relation
from verifier.core.exact import Matrix, Vector, columns_of, text_of
from verifier.papers.yun2020.contextual_map import exchangeable
from verifier.papers.yun2020.instance import Instance
from verifier.report.claim_trace import ClaimTrace
from verifier.report.console import fits, new_table, short, stdout
from verifier.report.terminal import STYLE, print_counterexample, relation_text
from verifier.report.trace import Bounds, Decoding, Level, Move, Trace, decodes
from verifier.run.results import EQUALITY, Evidence

_MOST = 20  # rows of a table; the JSON has them all


def show_trace(trace: Trace, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.buffer.write(canonical(trace_data(trace)))
    else:
        print_trace(trace)


def show_claim_trace(claim_trace: ClaimTrace, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.buffer.write(canonical(claim_trace_data(claim_trace)))
    else:
        print_claim_trace(claim_trace)


def print_trace(trace: Trace, console: Console | None = None) -> None:
    console = console or stdout()
    _head(console, trace)
    _sweep(console, trace)
    _global_shift(console, trace)
    _values(console, trace)
    _tests(console, trace)
    _decoding(console, trace)


def print_claim_trace(claim_trace: ClaimTrace) -> None:
    console, finding = stdout(), claim_trace.finding
    claim, instance = finding.claim, claim_trace.instance
    _say(console, f"{claim.id}   ({claim.where})")
    _say(console, f"  {claim.says}")
    cases = f", {finding.cases:,} case{'' if finding.cases == 1 else 's'}" if finding.cases else ""
    verdict = finding.told
    _say(console, f"  {verdict} at {instance}{cases}", style=STYLE[verdict])
    if claim_trace.exchanged:
        _say(console, f"  VARIANT: {_exchanged(instance, claim_trace.exchanged)}")
    console.print()
    if finding.counterexample:
        print_counterexample(console, finding, finding.counterexample)
    elif claim_trace.evidence:
        evidence = claim_trace.evidence
        slack = EQUALITY if not evidence.slack else short(text_of(evidence.slack))
        at = f"  at {' and '.join(map(_matrix, evidence.matrices))}" if evidence.matrices else ""
        _say(console, f"tightest case: {relation_text(evidence.relation)}{at};  slack {slack}")
        console.print()
    if claim_trace.note:
        _say(console, f"{claim_trace.note[0].upper()}{claim_trace.note[1:]}.")
    if claim_trace.checked != "checked independently, in full":
        _say(console, f"{claim_trace.checked[0].upper()}{claim_trace.checked[1:]}.")
    for trace in claim_trace.traces:
        if trace is not claim_trace.traces[0] or claim_trace.note:
            console.print()
        print_trace(trace, console)


def _say(console: Console, words: str, style: str = "") -> None:
    """Prints a line; where it goes on in the next, that has the same indent."""
    indent = len(words) - len(words.lstrip())
    console.print(Padding(Text(words.lstrip(), style=style), (0, 0, 0, indent), expand=False))


def _numbers(values: Iterable[mpq]) -> str:
    """At most _MOST numbers, and how many more there are."""
    values = list(values)
    more = f" and {len(values) - _MOST:,} more" if len(values) > _MOST else ""
    return ", ".join(short(text_of(value)) for value in values[:_MOST]) + more


def _matrix(X: Matrix) -> str:
    return f"[{'; '.join(map(_numbers, X))}]"


def _cut(console: Console, table: Table, rows: Sequence[tuple[str, ...]]) -> None:
    for row in rows[:_MOST]:
        table.add_row(*map(Text, row))
    _print(console, table)
    if len(rows) > _MOST:
        _say(console, f" and {len(rows) - _MOST:,} rows more; --format json has them all")


def _print(console: Console, table: Table) -> None:
    """Prints the table; if it is too wide, its rows as lists, one below the other."""
    if fits(console, table):
        console.print(table)
        return
    names = [str(column.header) for column in table.columns]
    widest = max(map(len, names))
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        console.print()
        for name, cell in zip(names, cells, strict=True):
            if str(cell):
                console.print(Text.assemble(f"{name:<{widest}}  ", cell))
    console.print()


def _new_table(console: Console, *names: str, wrapped: Collection[str]) -> Table:
    table = new_table(console)
    for name in names:
        table.add_column(Text(name), overflow="fold", no_wrap=name not in wrapped)
    return table


def _head(console: Console, trace: Trace) -> None:
    i = trace.instance
    grid = Table.grid(padding=(0, 2))
    rows = [
        ("instance", f"d = {i.d}, n = {i.n}, N = {i.N};  B = N^d = {i.B}, delta = {text_of(i.delta)}"),
        ("network", f"{trace.construction.words}: {trace.sweep_length:,} levels, then the global shift"),
        *([("VARIANT", _exchanged(trace.instance, trace.exchanged))] if trace.exchanged else []),
        ("matrix", _matrix(trace.X)),
        ("", trace.kind),
    ]
    if trace.category == 3:
        rows.append(("sentinel", short(text_of(trace.sentinels[0]))))
    if trace.off_grid:
        where = "; ".join(f"row {i}, column {j}" for i, j in trace.off_grid[:_MOST])
        more = f" and {len(trace.off_grid) - _MOST:,} more" if len(trace.off_grid) > _MOST else ""
        rows.append(("", f"the grid: {trace.construction.entries}; not on it: {where}{more}"))
    rows.append(("ids", f"u^T X = ({_numbers(_by_column(trace, trace.ids))}),  u = ({_numbers(i.u)})"))
    for name, words in rows:
        grid.add_row(name, Text(words))
    console.print(grid)


def _exchanged(instance: Instance, numbers: Mapping[str, mpq]) -> str:
    """The numbers of a variant, each beside the paper's."""
    its = exchangeable(instance)
    return ", ".join(
        f"{name} = {short(text_of(x))} (the paper: {short(text_of(its[name]))})" for name, x in numbers.items()
    )


def _by_column(trace: Trace, values: Vector) -> Vector:
    """The values, reordered from places to columns."""
    return tuple(value for _, value in sorted(zip(trace.order, values, strict=True)))


def _grouped(moves: Iterable[Move]) -> Iterable[tuple[str, Move]]:
    """Moves of several columns that are alike, as one."""

    def alike(move: Move) -> tuple[Any, ...]:
        return move.before, move.reads, move.after

    for _, group in groupby(sorted(moves, key=lambda move: (*alike(move), move.column)), key=alike):
        together = list(group)
        yield ", ".join(str(move.column) for move in together), together[0]


def _sweep(console: Console, trace: Trace) -> None:
    i = trace.instance
    console.print()
    _say(
        console,
        f"The sweep: a column whose id is within delta/2 = {text_of(i.delta / 2)} of the level gets"
        f" {short(text_of(trace.sweep_factor))} (max - min) in its first entry.",
    )
    rows = [
        (text_of(level.level), columns, *_read(move), short(text_of(move.added)), _from_to(move))
        for level in trace.acting
        for columns, move in _grouped(level.moves)
    ]
    if rows:
        names = ("level", "column", "max", "min", "adds", "its id")
        _cut(console, _new_table(console, *names, wrapped=("column", "its id")), rows)
    if any(any(move.ties) for level in trace.acting for move in level.moves):
        _say(
            console,
            " * the id is exactly at a head's threshold, delta/2 from the level: all scores are equal there, and the"
            " head reads the mean of all ids.",
        )
    if trace.in_vain:
        _say(console, f" levels that are the id of a column, and add 0, since max = min: {_numbers(trace.in_vain)}")
    idle = trace.idle - len(trace.in_vain)
    if idle:
        no_columns = (
            "levels matches no column's id, and changes" if idle == 1 else "levels match no column's id, and change"
        )
        _say(console, f" {idle:,} of {trace.sweep_length:,} {no_columns} nothing")


def _read(move: Move) -> tuple[str, str]:
    upper, lower = (short(text_of(x)) + "*" * tie for x, tie in zip(move.reads, move.ties, strict=True))
    return upper, lower


def _from_to(move: Move) -> str:
    return f"{short(text_of(move.before))} -> {short(text_of(move.after))}"


def _global_shift(console: Console, trace: Trace) -> None:
    console.print()
    factor = short(text_of(trace.global_factor))
    parts: dict[tuple[str, mpq, mpq], list[int]] = {}
    for move in trace.global_moves:
        parts.setdefault((_what(move), move.reads[0], move.added), []).append(move.column)
    for (what, read, added), columns in parts.items():
        these = f"column{'s' * (len(columns) > 1)} {_numbers(map(mpq, columns))}"
        whom = these if len(parts) > 1 else "every column"
        amount = f"{factor} . {short(text_of(read))} = {short(text_of(added))}"
        _say(console, f"The global shift adds {amount} to {whom}: {what}.")


def _what(move: Move) -> str:
    """In words, what the head of the global shift, whose threshold is 0, has read."""
    if any(move.ties):
        return "a column whose id is 0 reads the mean of all ids"
    reads = "above 0 reads the largest id" if move.before > 0 else "below 0 reads the smallest id"
    return f"a column whose id is {reads}"


def _values(console: Console, trace: Trace) -> None:
    names = [f"against {bounds.name}" if len(trace.bounds) > 1 else "where" for bounds in trace.bounds]
    console.print()
    for bounds in trace.bounds:
        closing = "]" if bounds.interval.high_closed else ")"
        low, high = short(text_of(bounds.interval.low)), short(text_of(bounds.interval.high))
        _say(console, f"Where the values land against {bounds.name} = [{low}, {high}{closing}:")
    table = _new_table(console, "column", "its id", "after the sweep", "value", *names, wrapped=("column", *names))
    columns = columns_of(trace.X)
    rows = []
    for place, j in enumerate(trace.order, start=1):
        rows.append(
            (
                f"{j + 1}: ({_numbers(columns[j])})",
                f"l_{place} = {short(text_of(trace.ids[place - 1]))}",
                f"l~_{place} = {short(text_of(trace.swept[place - 1]))}",
                f"q_{place} = {short(text_of(trace.q[place - 1]))}",
                *(_where(bounds, trace.q[place - 1]) for bounds in trace.bounds),
            )
        )
    _cut(console, table, rows)


def _where(bounds: Bounds, q: mpq) -> str:
    relations = bounds.place(q)
    if len(relations) == 2:
        low, high = (short(text_of(_slack(relation))) for relation in relations)
        return f"inside: {low} above {bounds.ends[0]}, {high} below {bounds.ends[1]}"
    relation = relations[0]
    side = "below" if relation.op in ("<", "<=") else "above"
    return f"outside: {short(text_of(_slack(relation)))} {side} {relation.bound_name}"


def _slack(relation: Relation) -> mpq:
    return mpq(0) if relation.slack is None else relation.slack


def _tests(console: Console, trace: Trace) -> None:
    tests = trace.tests
    if trace.off_grid:
        _say(console, "No claim is about a matrix off the grid: nothing is promised about its values.")
        _say(console, "(In the paper's network the quantiser comes first, and puts every entry on the grid.)")
        return
    if not tests.made:
        _say(console, "No claim about this construction is about this matrix.")
        return
    wrapped = ("tightest relation", "slack")
    table = _new_table(console, "claims about this matrix", "here", *wrapped, wrapped=wrapped)
    table.columns[-1].justify = "right"
    for test in tests.made:
        slack, words = "", "equal" if test.relation is None else relation_text(test.relation)
        if test.holds and test.relation is not None:
            slack = short(text_of(_slack(test.relation))) if test.relation.slack else EQUALITY
        elif test.relation is not None:
            words = str(Evidence(test.relation, ()))
        verdict = "holds" if test.holds else "fails*" if test.claim.excluded else "fails"
        table.add_row(
            test.claim.id,
            Text(verdict, style=STYLE["holds" if test.holds else "fails" if test.claim.excluded else "refuted"]),
            Text(words),
            slack,
        )
    _print(console, table)
    failing = [test for test in tests.made if not test.holds]
    if any(test.claim.excluded for test in failing):
        _say(console, " * the text read literally, in a way its authors can't have intended; no effect on the verdict.")
    if not all(test.claim.excluded for test in failing):
        why = (
            "Claims that fail here are refuted for this variant; it says nothing about the paper's own numbers."
            if trace.exchanged
            else "Claims that fail are wrong as the source states them; proofs/FINDINGS.md has a repair of each."
        )
        _say(console, f" {why}")
    if tests.with_others:
        _say(console, f" not decided by one matrix alone: {', '.join(tests.with_others)}")
    if tests.left_out:
        together: dict[str, list[str]] = {}
        for id_, why in tests.left_out:
            together.setdefault(why, []).append(id_)
        groups = [f"{', '.join(ids)} ({why})" for why, ids in together.items()]
        _say(console, f" not run here: {'; '.join(groups)}")


def _decoding(console: Console, trace: Trace) -> None:
    if trace.off_grid:
        _say(console, "Nothing can be decoded: only on the grid does a value determine its matrix.")
        return
    console.print()
    decoding = trace.decoding
    if not decodes(trace.exchanged):
        _say(console, "Nothing is decoded: that takes the paper's sweep_factor, and a global_factor above 0.")
        return
    if decoding is None:
        _say(console, f"No value lies in {trace.bounds[-1].name}: the value map rejects this matrix.")
        return
    i, n, place = trace.instance, trace.instance.n, decoding.place
    q, factor = short(text_of(decoding.q)), short(text_of(trace.global_factor))
    _say(
        console,
        f"Back from q_{place} = {q} alone: q_{place} / {factor}, rounded down to a multiple of delta, is"
        f" l~_{n} = {short(text_of(decoding.reads[0].swept))}.",
    )
    names = ("from", f"times {i.N}", f"mod {i.B}", "so the id is", "its column", "and before it")
    _cut(
        console,
        _new_table(console, *names, wrapped=("its column",)),
        [
            (
                f"l~_{read.j} = {short(text_of(read.swept))}",
                short(text_of(i.N * read.swept)),
                str(read.residue),
                f"l_{read.j} = {text_of(read.id)}",
                f"({_numbers(read.column)})",
                f"l~_{read.j - 1} = {short(text_of(read.before))}",
            )
            for read in decoding.reads
        ],
    )
    _say(console, f" {_ending(decoding, n)}", style="" if decoding.leads_back else STYLE["refuted"])


def _ending(decoding: Decoding, n: int) -> str:
    closes = (
        f"The last row gives l_{n} again, as it must. "
        if decoding.closes
        else f"The last row doesn't give l_{n} again, as it would for a context. "
    )
    if not decoding.leads_back:
        return f"{closes}This reads {_matrix(decoding.X)}, which is another matrix."
    own = f" q_{decoding.place} minus the shift is l~_{decoding.own}." if decoding.own else ""
    also = f" Decoding q_{', q_'.join(map(str, decoding.same[:_MOST]))}" if decoding.same else ""
    more = f" and {len(decoding.same) - _MOST:,} more" if len(decoding.same) > _MOST else ""
    also += f"{more} gives the same." if also else ""
    return f"{closes}So the matrix is {_matrix(decoding.X)}, its columns in the order of l.{own}{also}"


def trace_data(trace: Trace) -> dict[str, Any]:
    """A trace as JSON; every rational is a string, and columns and places count from 1."""
    i = trace.instance
    return {
        "format": "verifier.story/1",
        "construction": trace.construction.name,
        "instance": {"d": i.d, "n": i.n, "N": i.N},
        **_variant(trace.exchanged),
        "matrix": plain(trace.X),
        "off_grid": [{"row": row, "column": column} for row, column in trace.off_grid],
        "kind": trace.kind,
        "category": trace.category,
        "sentinels": plain(trace.sentinels),
        "order": [j + 1 for j in trace.order],
        "ids": plain(trace.ids),
        "levels": trace.sweep_length,
        "acting": [_level(level) for level in trace.acting],
        "in_vain": plain(trace.in_vain),
        "idle": trace.idle,
        "swept": plain(trace.swept),
        "global_shift": {
            "factor": plain(trace.global_factor),
            "moves": [_move(move) for move in trace.global_moves],
        },
        "q": plain(trace.q),
        "bounds": [_bounds(trace, bounds) for bounds in trace.bounds],
        "claims": [
            {"id": test.claim.id, "verdict": "holds" if test.holds else "refuted"} | _relation(test.relation)
            for test in trace.tests.made
        ],
        "with_others": list(trace.tests.with_others),
        "not_tried": dict(trace.tests.left_out),
        "decoding": trace.decoding and _decoding_data(trace.decoding),
    }


def claim_trace_data(claim_trace: ClaimTrace) -> dict[str, Any]:
    i = claim_trace.instance
    document = {
        "format": "verifier.explanation/1",
        "instance": {"d": i.d, "n": i.n, "N": i.N},
        **_variant(claim_trace.exchanged),
        "claim": claim_entry(claim_trace.finding),
        "stories": [trace_data(trace) for trace in claim_trace.traces],
        "checked": claim_trace.checked,
    }
    return document | ({"note": claim_trace.note} if claim_trace.note else {})


def _variant(numbers: Mapping[str, mpq]) -> dict[str, Any]:
    """As in a certificate: the numbers that aren't the paper's, if there are any."""
    return {"variant": {name: plain(x) for name, x in numbers.items()}} if numbers else {}


def _level(level: Level) -> dict[str, Any]:
    return {"layer": level.layer, "level": plain(level.level), "moves": [_move(move) for move in level.moves]}


def _move(move: Move) -> dict[str, Any]:
    return {
        "column": move.column,
        "before": plain(move.before),
        "reads": plain(move.reads),
        "added": plain(move.added),
        "after": plain(move.after),
        "ties": list(move.ties),
    }


def _bounds(trace: Trace, bounds: Bounds) -> dict[str, Any]:
    interval = bounds.interval
    return {
        "name": bounds.name,
        "low": plain(interval.low),
        "high": plain(interval.high),
        "high_closed": interval.high_closed,
        "values": [[_relation(relation) for relation in bounds.place(q)] for q in trace.q],
    }


def _relation(relation: Relation | None) -> dict[str, Any]:
    if relation is None:
        return {}
    words = f"{relation.name} {relation.op} {relation.bound_name}"
    entry = {"relation": words, "value": plain(relation.value), "bound": plain(relation.bound)}
    return entry if relation.slack is None or not relation.holds else entry | {"slack": plain(relation.slack)}


def _decoding_data(decoding: Decoding) -> dict[str, Any]:
    return {
        "place": decoding.place,
        "q": plain(decoding.q),
        "steps": [
            {
                "place": read.j,
                "swept": plain(read.swept),
                "residue": read.residue,
                "id": plain(read.id),
                "column": plain(read.column),
                "before": plain(read.before),
            }
            for read in decoding.reads
        ],
        "own_place": decoding.own,
        "matrix": plain(decoding.X),
        "closes": decoding.closes,
        "leads_back": decoding.leads_back,
        "same_from": list(decoding.same),
    }
