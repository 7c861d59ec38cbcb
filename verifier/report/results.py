"""What runs found, as rows: of one choice of sizes a row for each claim, of several a row for each choice."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from verifier.evaluate.values import value_text
from verifier.language.tree import Page
from verifier.report.formats import Result, Row, Value
from verifier.report.found import at_text, guilty_in, kind_of, print_row, slack_of, told_of

VERDICTS = ("refuted", "skipped", "holds", "vacuous", "fails")  # fails: as a reading that the page excludes
Content = dict[str, Any]


def name_of(sizes: dict[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items())


def title_of(page: Page) -> str:
    return page.title or "A page without a title"


# one choice of sizes


def of_claims(content: Content, page: Page, data: bytes, html: Callable[[], str], close: Callable[[], None]) -> Result:
    """JSON is the certificate, HTML the report; close prints the table for a person."""
    at = name_of({name: content["sizes"][name] for name in page.sizes})
    columns = ("claim", "verdict", "cases", "slack", "failing", "first", "words")
    own = {"json": data.decode, "html": html}
    return Result("run", f"{title_of(page)}{': ' * bool(at)}{at}", columns, close=close, own=own)


def claim_row(entry: dict[str, Any], content: Content, page: Page) -> Row:
    claim = page.claims[entry["id"]]
    verdict, first = told_of(entry, claim), entry.get("first")
    least = slack_of(entry) if entry["verdict"] == "holds" else None
    where = found = ""
    if first is not None:
        where = at_text(first, kind_of(entry["id"], content, page))
        found = f"{value_text(first['value'])} against {value_text(first['bound'])} (line {first['line']})"
    record = {
        "name": entry["id"],
        "verdict": verdict,
        "cases": entry["cases"],
        "slack": least["slack"] if least else "",
        "failing": entry.get("failing", 0) if first is not None else "",
        "first": where,
        "words": claim.words,
    }
    failure = f"{where}{': ' * bool(where)}{found}" if verdict == "refuted" else ""
    return Row(record, tuple(map(str, record.values())), failure)


# several


def of_sizes(page: Page, ids: Sequence[str]) -> Result:
    return Result("survey", title_of(page), (*page.sizes, "cases", "verdict", *families_of(ids)), version=2)


def families_of(ids: Sequence[str]) -> list[str]:
    """Of claim ids the parts before a dot."""
    return list(dict.fromkeys(id_.partition(".")[0] for id_ in ids))


def sizes_row(content: Content, page: Page, checked: str) -> Row:
    """checked: how the independent checker has checked it."""
    sizes = {name: content["sizes"][name] for name in page.sizes}
    families: dict[str, Counter[str]] = {}
    for entry in content["claims"]:
        verdict = told_of(entry, page.claims[entry["id"]])
        families.setdefault(entry["id"].partition(".")[0], Counter())[verdict] += 1
    cases = sum(entry["cases"] for entry in content["inputs"].values())
    record: dict[str, Value] = {
        "name": name_of(sizes),
        "sizes": sizes,
        "cases": cases,
        "verdict": content["verdict"],
        "families": {name: dict(counts) for name, counts in families.items()},
    }
    if checked:
        record["checked"] = checked
    cells = (*map(str, sizes.values()), str(cases), content["verdict"], *map(in_words, families.values()))
    failure = ""
    if content["verdict"] != "holds":
        failure = f"{content['verdict']}: {', '.join(guilty_in(content, page))}"
    return Row(record, cells, failure, lambda: print_row(content, page))


def in_words(counts: Counter[str]) -> str:
    """'holds', '2 refuted', 'vacuous', 'holds, 3 vacuous': the worst first."""
    verdicts = [verdict for verdict in VERDICTS if counts[verdict]]
    if len(verdicts) == 1 and verdicts[0] != "refuted":
        return verdicts[0]
    return ", ".join(verdict if verdict == "holds" else f"{counts[verdict]} {verdict}" for verdict in verdicts)


def too_large(sizes: dict[str, int], why: str, ids: Sequence[str]) -> Row:
    """A choice of sizes that isn't run."""
    name = name_of(sizes)
    record: dict[str, Value] = {"name": name, "sizes": sizes, "cases": 0, "verdict": "too large"}
    record |= {"families": {}, "why": why}
    cells = (*map(str, sizes.values()), "", "too large", *("-" for _ in families_of(ids)))
    return Row(record, cells, f"too large: {why}", lambda: print(f"{name}   too large: {why}", flush=True))


def how_checked(rows: Sequence[Row]) -> list[str]:
    """How the rows were checked, a sentence for each way."""
    ways: dict[str, list[str]] = {}
    for row in rows:
        if row.record["families"]:
            ways.setdefault(str(row.record.get("checked", "not checked independently (--no-check)")), []).append(
                str(row.record["name"])
            )
    return [f"{'every row' if len(ways) == 1 else '; '.join(names)}: {words}" for words, names in ways.items()]
