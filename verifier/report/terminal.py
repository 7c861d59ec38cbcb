"""A result as a person reads it on a terminal: instance, claims, coverage, counterexamples, conclusion."""

import os
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from verifier.core.claim import KINDS, Relation
from verifier.core.exact import bracketed, shortened, text_of, value_text
from verifier.run.results import Evidence, Finding, Result

STYLE = {"holds": "green", "refuted": "bold red", "fails": "yellow", "vacuous": "yellow", "skipped": "yellow"}
_LONGEST = 24  # characters of a number in the table; the JSON has them all
NARROW = 72  # below this the table is a list
_ANY = 10**6  # wider than any text
_WIDTH = 110  # where there is no terminal to ask


def stdout() -> Console:
    told = sys.stdout.isatty() or os.environ.get("COLUMNS")
    return Console(width=None if told else _WIDTH, highlight=False)


def print_result(result: Result, checked: str = "") -> None:
    """Prints the table of `verify`, the first counterexample of each refuted claim, and what a check of it said."""
    console = stdout()
    others = result.construction.differences(short)
    _head(console, result, others)
    _claims(console, result)
    _coverage(console, result)
    for finding in result.findings:
        if finding.counterexample:
            print_counterexample(console, finding, finding.counterexample)
    console.print(Text(conclusion(result, variant=bool(others)), style=STYLE.get(result.verdict, "yellow")))
    if checked:
        console.print(Text(f"{checked[0].upper()}{checked[1:]}."))


def new_table(console: Console) -> Table:
    return Table(box=box.SIMPLE_HEAD if console.encoding.startswith("utf") else box.ASCII2, pad_edge=False)


def fits(console: Console, table: Table) -> bool:
    """No word, no number and no claim id has to be broken; gives each column the width it needs."""
    needs, options = [], console.options.update(width=_ANY)
    for column in table.columns:
        cells = [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
        most = max(cell.maximum for cell in cells)
        needs.append((most if column.no_wrap else max(cell.minimum for cell in cells), most))
    room = console.width - (3 * len(needs) - 1) - sum(least for least, _ in needs)  # 3: a rule, and a space beside it
    if room < 0:
        return False
    by_wish = sorted(range(len(needs)), key=lambda k: needs[k][1] - needs[k][0])
    for done, k in enumerate(by_wish):
        least, most = needs[k]
        more = min(most - least, room // (len(needs) - done))
        table.columns[k].width = least + more
        room -= more
    return True


def short(number: str) -> str:
    """A number that fits the table."""
    return shortened(number, _LONGEST)


def relation_text(relation: Relation) -> str:
    return f"{relation.name} = {short(value_text(relation.value))} {relation.op} {short(value_text(relation.bound))}"


def _head(console: Console, result: Result, others: Sequence[str]) -> None:
    grid = Table.grid(padding=(0, 2))
    if others:
        grid.add_row("VARIANT", Text(f"not the paper's own construction: {', '.join(others)}", style="bold yellow"))
    for name, words in result.construction.heading(short):
        grid.add_row(name, Text(words))
    console.print(grid)


def _claims(console: Console, result: Result) -> None:
    rows = [_row(finding) for finding in result.findings]
    table = new_table(console)
    table.add_column("claim", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("tightest case", ratio=1, overflow="fold")
    table.add_column("slack", justify="right", overflow="fold")
    for (id_, verdict, cases, tightest, slack), finding in zip(rows, result.findings, strict=True):
        table.add_row(id_, finding.claim.kind, Text(verdict, style=STYLE[verdict]), cases, Text(tightest), slack)
    if console.width >= NARROW and fits(console, table):
        console.print(table)
        return
    for (id_, verdict, cases, tightest, slack), finding in zip(rows, result.findings, strict=True):
        console.print(id_, Text(verdict, style=STYLE[verdict]), f"({finding.claim.kind}, {cases} cases)")
        console.print(Text(f"    {tightest}" + (f", slack {slack}" if slack else "")))


def _row(finding: Finding) -> tuple[str, str, str, str, str]:
    """Claim, verdict, cases, tightest case, slack."""
    tightest, slack = finding.why, ""
    if finding.verdict == "refuted":
        tightest = f"fails at {_failing(finding)}; the first is shown below"
    elif edge := finding.tightest:
        relation = edge.relation
        at = f"  at {' and '.join(map(bracketed, edge.matrices))}" if edge.matrices else ""
        tightest = f"{relation_text(relation)}{at}"
        slack = "0, attained" if not edge.slack else short(text_of(edge.slack))
    elif not finding.why:
        tightest = "equal in every case"
    return finding.claim.id, verdict_of(finding), f"{finding.cases:,}", tightest, slack


def verdict_of(finding: Finding) -> str:
    """The verdict, but of a reading that nobody holds no more than that it fails."""
    return "fails" if finding.claim.excluded and finding.verdict == "refuted" else finding.verdict


def _failing(finding: Finding) -> str:
    if finding.claim.collect is None:
        return f"{finding.failing:,} of {finding.cases:,} cases"
    return "1 case or pair of cases" if finding.failing == 1 else f"{finding.failing:,} cases or pairs of them"


def _coverage(console: Console, result: Result) -> None:
    if not result.coverage:
        return
    space = result.construction.space
    table = new_table(console)
    table.add_column(f"coverage of {space.of}")
    table.add_column(space.several, justify="right")
    table.add_column("matrices", justify="right")
    for name in (*(() if space.categories == ("all",) else space.categories), "total"):
        sizes = result.coverage[name]
        table.add_row(space.called(name), f"{sizes.orbits:,}", short(f"{sizes.matrices:,}"))
    console.print(table)


def print_counterexample(console: Console, finding: Finding, evidence: Evidence) -> None:
    claim, relation = finding.claim, evidence.relation
    verdict = verdict_of(finding)
    says = f"is {verdict}," if verdict == "refuted" else verdict
    console.print(Text(f"{claim.id} {says} at {_failing(finding)}", style=STYLE[verdict]))
    console.print(f"  kind       {claim.kind}: {KINDS[claim.kind]}", markup=False)
    where = f"   ({claim.where})" if claim.where else ""
    console.print(f"  claim      {claim.formula}{where}", markup=False)
    for name, X in zip(("matrix", "and"), evidence.matrices, strict=False):
        console.print(f"  {name:<9}  {bracketed(X)}", markup=False)
    console.print(f"  claimed    {relation.name} {relation.op} {relation.bound_name}", markup=False)
    console.print(f"  found      {relation.name} = {value_text(relation.value)}", markup=False)
    if relation.bound_name != value_text(relation.bound):  # a bound such as 0 has no other name
        console.print(f"             {relation.bound_name} = {value_text(relation.bound)}", markup=False)
    console.print()


def conclusion(result: Result, *, variant: bool) -> str:
    """One sentence: what was established, and what was not."""
    g = result.construction
    by_verdict = {
        verdict: [f.claim.id for f in result.findings if verdict_of(f) == verdict]
        for verdict in ("holds", "refuted", "fails", "vacuous", "skipped")
    }
    where = f"at {g}{', of a VARIANT of the construction' if variant else ''}"
    if result.coverage:
        total = result.coverage["total"]
        where += (
            f", on all {total.orbits:,} {g.space.several} ({short(f'{total.matrices:,}')} matrices) of {g.space.of}"
        )
    count = len(by_verdict["holds"])
    said = f"{count} claim{' holds' if count == 1 else 's hold'} {where}"
    if by_verdict["refuted"]:
        others = f"the other {said.removeprefix('1 ')}" if count else f"seen {where}"
        said = f"REFUTED: {', '.join(by_verdict['refuted'])}; {others}"
    if by_verdict["fails"]:
        said += f"; fails as an excluded reading: {', '.join(by_verdict['fails'])}"
    if by_verdict["vacuous"]:
        said += f"; vacuous, so that nothing is known: {', '.join(by_verdict['vacuous'])}"
    if by_verdict["skipped"]:
        said += f"; not checked: {', '.join(by_verdict['skipped'])}"
    ran = f"Run by {result.engine}" if result.coverage else f"No {g.space.one} was run"
    return f"{said}. {ran}. Nothing is said of any other ({', '.join(g.sizes)})."
