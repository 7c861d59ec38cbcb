"""What was found about words of every length, on a terminal."""

from typing import Any

from rich.text import Text

from verifier.language.tree import Page
from verifier.report.console import hanging, new_table, say, stdout
from verifier.report.found import STYLE, print_found

NOT_DECIDED = "not decided"


def print_lengths(
    page: Page, sizes: dict[str, int], length: str, decided: Any, contents: list[Any], checked: str, *, quiet: bool
) -> str:
    """A row for each claim; then each refutation, an ordinary run. Returns the verdict of all."""
    rows = dict(row_of(id_, one, length, decided.plain) for id_, one in decided.outcomes.items())
    for content, _, _ in contents:
        for claim in content["claims"]:
            rows[claim["id"]] = "refuted", f"at {length} = {content['sizes'][length]}, below"
    for id_, one in decided.alone.items():
        word = f"at the word {one.word} (letters by their places), line {one.line}"
        rows[id_] = "refuted", f"{word}; run alone, by the definition"
    counted = {rows[id_][0] for id_ in rows if page.claims[id_].kind != "excluded"}
    verdict = next((one for one in ("refuted", NOT_DECIDED, "holds") if one in counted), "vacuous")
    if quiet:
        print(verdict)
        return verdict
    console = stdout()
    console.print(Text(page.title or "a page without a title", style="bold"))
    at = "".join(f"{name} = {size}, " for name, size in sizes.items())
    hanging(console, "at         ", f"{at}words of every length ({length} = all)")
    console.print()
    table = new_table(console)
    table.show_edge = False
    for name in ("claim", "verdict"):
        table.add_column(name, no_wrap=True)
    table.add_column("how", ratio=1, overflow="fold", min_width=24)
    for id_ in page.claims:
        if id_ in rows:
            told, how = rows[id_]
            table.add_row(id_, Text(told, style=STYLE.get(told, "yellow")), Text(how))
    console.print(table)
    console.print()
    for content, _, words in contents:
        print_found(content, page, words)
        console.print()
    conclude(console, rows, sizes, checked)
    return verdict


def row_of(id_: str, one: Any, length: str, plain: int) -> tuple[str, tuple[str, str]]:
    if hasattr(one, "words"):
        verdict = "holds" if one.made else "vacuous"
        states = f"{one.states:,} states, none that is new after length {one.cutoff}"
        return id_, (verdict, f"for words of every length; {states}")
    if hasattr(one, "longest"):
        line = f"line {one.line}: " if one.line else ""
        return id_, (NOT_DECIDED, f"{line}{one.why}; it was run to {length} = {plain}, and holds or is vacuous there")
    return id_, ("refuted", "")


def conclude(console: Any, rows: dict[str, tuple[str, str]], sizes: dict[str, int], checked: str) -> None:
    held = [id_ for id_, (verdict, _) in rows.items() if verdict in ("holds", "vacuous")]
    if held:
        several = "claim holds" if len(held) == 1 else "claims hold"
        if all(rows[id_][0] == "vacuous" for id_ in held):
            several = "claim is vacuous" if len(held) == 1 else "claims are vacuous"
        others = f", at these sizes; this says nothing about other {', '.join(sizes)}" if sizes else ""
        say(console, f"{len(held)} {several} for words of every length{others}.", STYLE["holds"])
        say(console, f"{checked[0].upper()}{checked[1:]}.")
    if left := [id_ for id_, (verdict, _) in rows.items() if verdict == NOT_DECIDED]:
        say(console, f"Not decided: {', '.join(left)}.", "yellow")
