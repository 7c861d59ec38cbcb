"""Words that every part of a report uses: verdicts, numbers, matrices, and the commands to reproduce them."""

from collections.abc import Sequence
from shlex import quote
from typing import Any

from verifier.catalogue import DEFAULT, all_claims, default_claims, excluded
from verifier.report.markup import Html, el
from verifier.report.pictures import short
from verifier.report.sources import Source

MOST_ENTRIES = 60  # of a matrix that is printed in full
MOST_TEXT = 2000  # characters of a text from a certificate
SIGNS = {"holds": "✓", "refuted": "✗", "fails": "○", "vacuous": "∅", "skipped": "–"}
SIGNS |= {"incomplete": "–", "too large": "⤒"}
STANDINGS = {"accepted": "re-checked just now: accepted", "rejected": "REJECTED", "unchecked": "NOT re-checked"}
STANDINGS |= {"in part": "re-checked just now, as far as it can be"}
_CLASSES = {"accepted": "holds", "in part": "skipped", "rejected": "refuted", "unchecked": "skipped"}


def place(source: Source) -> str:
    joint = ",\u00a0"  # a space at which no line is broken
    return f"({joint.join(short(str(part)) for part in source.place)})"


def at(source: Source) -> str:
    return f"({', '.join(source.sizes)}) =\u00a0{place(source)}" + (", a VARIANT" if source.variant else "")


def cut(text: str, most: int = MOST_TEXT) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def thousands(number: int) -> str:
    return short(f"{number:,}")


def how_many(number: int, one: str, more: str) -> str:
    return f"{thousands(number)} {one if number == 1 else more}"


def by_verdict(source: Source) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for claim in source.certificate["claims"]:
        found.setdefault(verdict_of(claim, source), []).append(claim["id"])
    return found


def verdict_of(claim: dict[str, Any], source: Source) -> str:
    """The verdict of a certificate's claim; a refuted claim of an excluded reading only `fails`."""
    verdict: str = claim["verdict"]
    aside = () if source.own else excluded(source.paper)
    return "fails" if verdict == "refuted" and claim["id"] in aside else verdict


def sentence(source: Source) -> str:
    """The verdict of a certificate in one sentence."""
    by, total = by_verdict(source), source.total
    if source.standing == "rejected":
        return (
            f"The checker rejects this certificate: it is not what follows from its instance, {at(source)}. Nothing in"
            " it is to be believed."
        )
    held = len(by.get("holds", []))
    of = " of G+" if "category1" in source.certificate["coverage"] else ""
    cases = source.several
    matrices = "" if source.own else f" ({thousands(total['matrices'])} matrices)"
    covered = f"every one of the {thousands(total['orbits'])} {cases}{matrices}{of}"
    where = f"at {at(source)}, " + (
        f"on {covered}" if total["orbits"] else f"where no {cases.removesuffix('s')} was run"
    )
    all_ = "all " if set(by) == {"holds"} and held > 1 else ""
    words = f"{all_}{how_many(held, 'claim holds', 'claims hold')} {where}"
    if refuted := by.get("refuted"):
        listed = ", ".join(refuted)
        words = f"refuted: {listed}; " + (f"the other {words.removeprefix('1 ')}" if held else f"seen {where}")
    if fails := by.get("fails"):
        words += f"; fails only if the text is read literally: {', '.join(fails)}"
    if vacuous := by.get("vacuous"):
        words += f"; vacuous (no such input exists here): {', '.join(vacuous)}"
    if skipped := by.get("skipped"):
        words += f"; not checked: {', '.join(skipped)}"
    if source.standing == "unchecked":
        words = f"NOT re-checked; as the file says, {words}"
    if source.standing == "in part":
        words = f"as far as it can be checked: {words}"
    return cut(f"{words[0].upper()}{words[1:]}.", 2 * MOST_TEXT)


def badge(verdict: str, words: str | None = None) -> Html:
    sign = el("span", SIGNS.get(verdict, ""), aria_hidden="true")
    return el("span", sign, f" {words or verdict}", class_=f"badge {verdict.replace(' ', '-')}")


def standing(source: Source) -> Html:
    return badge(_CLASSES[source.standing], STANDINGS[source.standing])


def checked(source: Source) -> Html:
    return el("p", standing(source), " ", el("code", cut(source.said), class_="said"), class_="standing")


def value_text(value: Any) -> str:
    if isinstance(value, str):
        return short(value)
    return cut(f"({', '.join(value_text(part) for part in value[:MOST_ENTRIES])})", 300)


def matrix_text(X: list[list[str]]) -> Html:
    """A matrix; one of a single row is written as a list."""
    if sum(map(len, X)) > MOST_ENTRIES:
        return el("span", f"a {len(X)} × {len(X[0])} matrix, see the certificate")
    if len(X) == 1:
        return el("span", f"[{', '.join(map(short, X[0]))}]", class_="matrix")
    rows = [el("mtr", *(el("mtd", _entry(entry)) for entry in row)) for row in X]
    plain = "; ".join(", ".join(map(short, row)) for row in X)
    return el("math", el("mtable", *rows, class_="matrix"), alttext=f"[{plain}]")


def _entry(text: str) -> Html:
    upper, slash, lower = short(text).partition("/")
    sign = el("mo", "−") if upper.startswith("-") else None
    value = el("mfrac", el("mn", upper.lstrip("-")), el("mn", lower)) if slash else el("mn", upper.lstrip("-"))
    return el("mrow", sign, value)


def _names(ids: Sequence[str], paper: str) -> str:
    """The option `--claims` for these claims, with the name of each family that is complete."""
    known = all_claims(paper)
    families: dict[str, list[str]] = {}
    for claim in known.values():
        families.setdefault(claim.family, []).append(claim.id)
    if list(known) == list(ids):
        return " --claims all"
    if [claim.id for claim in default_claims(paper)] == list(ids):
        return ""
    named = []
    for family, members in families.items():
        chosen = [claim for claim in members if claim in ids]
        named += [family] if chosen == members and len(members) > 1 else chosen
    return f" --claims {','.join(named)}"


def command(source: Source, ids: Sequence[str]) -> str:
    """The command that reproduces these claims of the certificate; "" for a construction that only the file has."""
    if source.own:
        return ""
    paper = "" if source.paper == DEFAULT else f" --paper {source.paper}"
    sizes = "".join(f" --{name} {short(str(value))}" for name, value in source.sizes.items())
    variant = "".join(f" --variant {name}={short(text)}" for name, text in sorted(source.variant.items()))
    return f"verify{paper}{sizes}{variant}{_names(ids, source.paper)}"


def commands(source: Source) -> str:
    """The commands that make the certificate again, and check it."""
    again = command(source, [claim["id"] for claim in source.certificate["claims"]])
    if again:
        again += " --certificate again.json\nverify check again.json\n"
    reading = f" --reading {quote(cut(source.reading))}" if source.reading else ""
    return f"{again}verify check {quote(cut(source.name))}{reading}"
