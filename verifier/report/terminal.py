"""A result on a terminal: instance, claims, coverage, counterexamples, conclusion.

A run of many claims is summarised: first the claims that have a phrase (Lemma 6 itself) and all that don't hold, a
line each; then a line for each family of the others. `verify -v`, and a run of few claims, show every claim in the
same table, with its tightest case below what it says: its phrase, or its first sentence.
"""

import sys
from collections import Counter
from collections.abc import Collection, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verifier.catalogue import named
from verifier.core.claim import KINDS, Relation
from verifier.core.exact import bracketed, text_of, value_text
from verifier.lines import fitted
from verifier.report.console import NARROW, fits, hanging, new_table, say, short, stdout
from verifier.run.results import Evidence, Finding, Result

STYLE = {"holds": "green", "refuted": "bold red", "fails": "yellow", "vacuous": "yellow", "skipped": "yellow"}
_FEW = 12  # claims that are shown one by one even without -v
_PLURAL = {"holds": "hold"}
_READABLE = 34  # columns for a tightest case, which no phrase exceeds; if there are fewer, the table becomes a list
_COUNTEREXAMPLES = 3  # in a summary


def print_result(result: Result, checked: str = "", *, every: bool = False) -> None:
    """Print the instance, the claims, the coverage, counterexamples, and one sentence that says what was established.

    A run of more than a dozen claims is summarised unless `every` claim is asked for. `checked` is the answer of an
    independent check.
    """
    console = stdout()
    others = result.construction.differences(short)
    _head(console, result, others)
    failing = [finding for finding in result.findings if finding.counterexample]
    most = len(failing) if every else max(_COUNTEREXAMPLES, _FEW - len(result.findings))
    shown = failing[:most]
    console.print()
    if every or len(result.findings) <= _FEW:
        _claims(console, result.findings, cases=True, below={finding.claim.id for finding in shown})
        if not result.coverage:
            console.print()
    else:
        _summary(console, result)
    _coverage(console, result)
    for finding in shown:
        if finding.counterexample:
            print_counterexample(console, finding, finding.counterexample)
    if left := failing[most:]:
        say(console, f"{len(left)} more counterexample{'s: -v shows them' if left[1:] else ': -v shows it'}.\n")
    holding = result.verdict != "holds" or any(finding.verdict == "holds" for finding in result.findings)
    say(console, conclusion(result, variant=bool(others)), STYLE.get(result.verdict if holding else "", "yellow"))
    if checked:
        say(console, f"{checked[0].upper()}{checked[1:]}.")


def print_verdict(result: Result) -> None:
    """Prints the verdict alone; if not everything holds, the claims that are the reason."""
    guilty = {"holds": (), "refuted": ("refuted",), "incomplete": ("skipped", "vacuous")}[result.verdict]
    ids = next(filter(None, ([f.claim.id for f in result.findings if f.told == told] for told in guilty)), [])
    print(fitted(f"{result.verdict}: {', '.join(ids)}" if ids else result.verdict, sys.stdout))


def relation_text(relation: Relation) -> str:
    return f"{relation.name} = {short(value_text(relation.value))} {relation.op} {short(value_text(relation.bound))}"


def _head(console: Console, result: Result, others: Sequence[str]) -> None:
    grid = Table.grid(padding=(0, 2))
    if others:
        grid.add_row("VARIANT", Text(f"not the paper's own construction: {', '.join(others)}", style="bold yellow"))
    for name, words in result.construction.heading(short):
        grid.add_row(name, Text(words))
    console.print(grid)


def _claims(console: Console, findings: Sequence[Finding], *, cases: bool, below: Collection[str] = ()) -> None:
    """A row for each claim, those that have a phrase first; under what it says its tightest `cases`. The claims `below`
    have their counterexamples shown below the table."""
    ordered = sorted(findings, key=lambda finding: not finding.claim.phrase)
    rows = [(finding, [finding.claim.in_short], short(finding.slack)) for finding in ordered]
    for finding, says, _ in rows:
        if cases and (case := _tightest(finding, finding.claim.id in below)):
            says.append(case)
    table = new_table(console)
    table.show_edge = False
    table.add_column("claim", no_wrap=True)
    if cases:
        table.add_column("what it says; its tightest case", ratio=1, overflow="fold", min_width=_READABLE)
    else:
        table.add_column("what it says", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("slack", justify="right", overflow="fold" if cases else "ellipsis", no_wrap=not cases)
    for finding, says, slack in rows:
        verdict = Text(finding.told, style=STYLE[finding.told])
        table.add_row(finding.claim.id, Text("\n".join(says)), verdict, f"{finding.cases:,}", slack)
    if rows and console.width >= NARROW and fits(console, table):
        console.print(table)
    else:
        for finding, says, slack in rows:
            verdict = Text(finding.told, style=STYLE[finding.told])
            console.print(finding.claim.id, verdict, f"({_cases(finding.cases)})")
            if slack:
                says[-1] += f", slack {slack}" if finding.tightest else ", equal in every case"
            for line in says:
                hanging(console, "    ", line)


def _summary(console: Console, result: Result) -> None:
    """Lemma 6 and whatever fails, claim by claim; for the rest, one line for each family."""
    first = result.foremost
    _claims(console, first, cases=False)
    console.print()
    table = new_table(console)
    table.show_edge = False
    table.add_column("other claims, by family", overflow="fold")
    table.add_column("claims", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("tightest (slack)", overflow="fold")
    families: dict[str, list[Finding]] = {}
    for finding in result.findings:
        if finding not in first:
            families.setdefault(finding.claim.family, []).append(finding)
    for family, its in families.items():
        verdicts = Counter(finding.verdict for finding in its)
        said = ", ".join(f"{count} {_PLURAL.get(verdict, verdict)}" for verdict, count in verdicts.items())
        only = _PLURAL.get(its[0].verdict, its[0].verdict) if len(its) > 1 else its[0].verdict
        style = "green" if set(verdicts) == {"holds"} else "yellow"
        table.add_row(
            named(family), str(len(its)), Text(only if len(verdicts) == 1 else said, style=style), _nearest(its)
        )
    if families:
        fits(console, table)
        console.print(table)
        console.print()
    space = result.construction.space
    one = f" {space.one}: {space.meaning}." if space.meaning else ""
    say(console, f"slack: how far the tightest case is from failing.{one} -v shows every claim.")


def _nearest(findings: Sequence[Finding]) -> str:
    """The claim with the least slack, among those that have one."""
    edges = [(finding.tightest.slack, finding.claim.id) for finding in findings if finding.tightest]
    if not edges:
        return "equal in every case" if any(finding.cases for finding in findings) else "no case exists"
    slack, id_ = min(edges, key=lambda edge: edge[0])
    return f"{id_} ({short(text_of(slack)) if slack else '0, equality'})"


def _cases(count: int) -> str:
    return f"{count:,} case{'' if count == 1 else 's'}"


def _tightest(finding: Finding, shown: bool) -> str:
    """The tightest case; or how many fail, or why there is none."""
    if finding.verdict == "refuted":
        return f"fails at {_failing(finding)}{'; the first is shown below' if shown else ''}"
    if edge := finding.tightest:
        at = f"  at {' and '.join(map(bracketed, edge.matrices))}" if edge.matrices else ""
        return f"{relation_text(edge.relation)}{at}"
    return finding.why


def _failing(finding: Finding) -> str:
    if finding.claim.collect is None:
        return f"{finding.failing:,} of {_cases(finding.cases)}"
    if finding.counterexample and len(finding.counterexample.matrices) > 1:
        return f"{finding.failing:,} pair{'' if finding.failing == 1 else 's'} of inputs"
    return _cases(finding.failing)


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
    verdict = finding.told
    says = f"is {verdict}," if verdict == "refuted" else verdict
    console.print(Text(f"{claim.id} {says} at {_failing(finding)}", style=STYLE[verdict]))
    if claim.where or claim.kind != "own":  # else it is the user's own, and there is no source to name
        hanging(console, "  kind       ", f"{claim.kind}: {KINDS[claim.kind]}")
    where = f"   ({claim.where})" if claim.where else ""
    hanging(console, "  claim      ", f"{claim.formula}{where}")
    for name, X in zip(("matrix", "and"), evidence.matrices, strict=False):
        hanging(console, f"  {name:<9}  ", bracketed(X))
    hanging(console, "  claimed    ", f"{relation.name} {relation.op} {relation.bound_in_words}")
    hanging(console, "  found      ", f"{relation.name} = {value_text(relation.value)}")
    if relation.bound_name != value_text(relation.bound):  # a bound such as 0 has no other name
        hanging(console, " " * 13, f"{relation.bound_in_words} = {value_text(relation.bound)}")
    console.print()


def conclusion(result: Result, *, variant: bool) -> str:
    """One sentence: what was established, and what was not."""
    g = result.construction
    by_verdict = {
        verdict: [f.claim.id for f in result.findings if f.told == verdict]
        for verdict in ("holds", "refuted", "fails", "vacuous", "skipped")
    }
    where = f"at {g}{', for a VARIANT of the construction' if variant else ''}"
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
        said += f"; fails only if the text is read literally: {', '.join(by_verdict['fails'])}"
    if by_verdict["vacuous"]:
        said += f"; vacuous (no such input exists here): {', '.join(by_verdict['vacuous'])}"
    if by_verdict["skipped"]:
        said += f"; not checked: {', '.join(by_verdict['skipped'])}"
    ran = _ran(result) if result.coverage else "Each claim was checked on every case that it is about"
    return f"{said}. {ran}. This says nothing about any other ({', '.join(g.sizes)})."


def _ran(result: Result) -> str:
    if result.engine == "the literal network":
        return f"Every layer was run on each {result.construction.space.one} (the literal network)"
    return f"Run by {result.engine}"
