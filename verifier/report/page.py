"""The report page: one self-contained HTML file of certificates and surveys.

Every number comes from these files, except in sweeps and among all values of a small grid, which the literal network
computes.

Each certificate is checked again by the independent checker (`sources`), and the page says so. Whatever a picture shows
is also written beside it. The page never exceeds MOST_BYTES: what doesn't fit is left out, and the page says so.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from string import Template

from verifier.catalogue import DEFAULT, all_claims
from verifier.report.cards import cards
from verifier.report.growth import growth
from verifier.report.heat import heat_map
from verifier.report.markup import ByteBudget, Html, el, joined, table
from verifier.report.pictures import short
from verifier.report.portrait import portrait, swept
from verifier.report.sentences import typeset
from verifier.report.sources import BELIEVED, Source, Survey
from verifier.report.words import (
    STANDINGS,
    at,
    badge,
    by_verdict,
    checked,
    cut,
    how_many,
    place,
    sentence,
    standing,
    thousands,
    verdict_of,
)

MOST_BYTES = 1_900_000
_TITLE = "Are Transformers universal approximators of sequence-to-sequence functions?"
MOST_FILES = 200
_DERIVED = "The file is accepted because it is right: the checker found the same counterexamples on its own."
_AGREES = (
    "‘Accepted’ is about the file: the checker ran its layers again on every case, and found that the file agrees with"
    " itself. That its relations are what the claims say, and all that they say, is the word of whoever made it,"
    " unless a second reading (--reading) derives them anew; that these layers are the construction is that always."
)


class NoSuchCase(ValueError):
    """No certificate has a case of this claim whose sweep can be drawn."""


def render(given: Sequence[Source | Survey], sweep: str | None = None) -> bytes:
    """The page. `sweep`: the claim whose tightest case, or counterexample, is followed through the sweep."""
    sources = [item for item in given if isinstance(item, Source)]
    surveys = [item for item in given if isinstance(item, Survey)]
    if sweep is not None and not any(swept(source, sweep) for source in sources):
        raise NoSuchCase(f"no certificate here names a matrix of {sweep} that can be swept")
    budget = ByteBudget(MOST_BYTES)
    top = budget.fit(typeset(_top(sources, surveys)), el("h1", "A report"))
    end = budget.fit(_end(sources), Html())
    heat = [budget.fit(heat_map(survey, k), left_out(survey.name)) for k, survey in enumerate(surveys, start=1)]
    claims = cards(sources, budget) if sources else Html()
    drawn = [
        budget.fit(
            typeset(portrait(source, k, sweep, alone=len(sources) == 1)),
            left_out(source.name),
            keep=300 * (len(sources) - k),
        )
        for k, source in enumerate(sources, start=1)
    ]
    grown = budget.fit(typeset(growth(sources)), Html()) if sources else Html()
    body = joined([top, el("main", *drawn, grown, *heat, claims, id="main"), end])
    return filled(_title(sources, surveys), body)


def filled(title: str, body: Html) -> bytes:
    """The file, its formulas typeset, with its style and its script."""
    folder = Path(__file__).parent
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    digests = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (style, script)]
    page = Template((folder / "page.html").read_text(encoding="utf-8"))
    return page.substitute(
        title=joined([title]),
        body=typeset(body),
        style=style,
        script=script,
        style_hash=digests[0],
        script_hash=digests[1],
    ).encode()


def left_out(name: str) -> Html:
    return el(
        "p", el("code", name), ": left out here, so that the page stays under 2 MB; report it by itself.", class_="note"
    )


def _title(sources: Sequence[Source], surveys: Sequence[Survey]) -> str:
    if len(sources) == 1 and not surveys:
        source = sources[0]
        return f"{source.verdict}: {at(source)}"
    return f"{how_many(len(sources) + len(surveys), 'file', 'files')}: a report"


def _top(sources: Sequence[Source], surveys: Sequence[Survey]) -> Html:
    parts: list[Html] = []
    if len(sources) == 1:
        (source,) = sources
        parts.append(el("p", sentence(source), class_=f"verdict {source.verdict}"))
        parts.append(checked(source))
        if source.own and not source.reading and source.standing in BELIEVED:
            parts.append(el("p", _AGREES, class_="note"))
        elif source.verdict == "refuted":
            parts.append(el("p", _DERIVED, class_="note"))
        parts.append(_first(source))
    elif sources:
        parts += [el("p", _together(sources), class_=f"verdict {_worst(sources)}"), _overview(sources)]
    if surveys:
        parts.append(el("p", _surveyed(surveys), class_="standing" if sources else "verdict unchecked"))
    links = [("#c1", at(sources[0]))] if len(sources) == 1 else []
    links += [("#growth", "growth")] if any(s.standing == "accepted" and s.paper == DEFAULT for s in sources) else []
    links += [(f"#s{k}", f"survey {k}") for k in range(1, len(surveys) + 1)]
    links += [("#claims", "the claims")] if any(s.standing != "rejected" for s in sources) else []
    nav = el(
        "nav",
        *(el("a", words, href=to) for to, words in [*links, ("#sources", "sources")]),
        aria_label="Parts of this page",
    )
    head = el(
        "header",
        el("a", "To the report", href="#main", class_="skip"),
        el("p", f"verifier · {_subject(sources)}", class_="over"),
        el("h1", "What was verified, and what wasn't"),
        *parts,
    )
    return joined([head, nav])


def _subject(sources: Sequence[Source]) -> str:
    """What all files are about; surveys are about the first paper."""
    subjects = {_TITLE if source.paper == DEFAULT else cut(source.subject, 200) for source in sources} or {_TITLE}
    return subjects.pop() if len(subjects) == 1 else f"{len(subjects)} subjects"


def _first(source: Source) -> Html:
    """The claims of Lemma 6 (those that have a phrase), with their verdicts: what a reader looks for first."""
    known, rows = all_claims(), []
    for claim in source.certificate["claims"] if source.standing == "accepted" and source.paper == DEFAULT else ():
        if phrase := known[claim["id"]].phrase if claim["id"] in known else "":
            slack = claim.get("tightest", {}).get("slack")
            name = el("a", claim["id"], href=f"#claim-{claim['id']}")
            equal = "equal" if claim["verdict"] == "holds" and "why" not in claim else ""
            rows.append([name, phrase, badge(verdict_of(claim, source)), equal if slack is None else short(slack)])
    return table(["claim", "says", "verdict", "slack"], rows, "Lemma 6", "first") if rows else Html()


def _surveyed(surveys: Sequence[Survey]) -> str:
    found = Counter(row["verdict"] for survey in surveys for row in survey.rows)
    words = {"refuted": "refuted", "holds": "hold", "incomplete": "incomplete", "too large": "too large to be run"}
    said = ", ".join(f"{thousands(found[verdict])} {word}" for verdict, word in words.items() if found[verdict])
    counted = how_many(sum(found.values()), "instance", "instances")
    return f"{counted} surveyed: {said}. A survey is not a certificate, and nothing of it was re-checked."


def _worst(sources: Sequence[Source]) -> str:
    found = {source.verdict for source in sources}
    return next(v for v in ("rejected", "unchecked", "refuted", "incomplete", "holds") if v in found)


def _together(sources: Sequence[Source]) -> str:
    """One sentence about several certificates; variants are kept apart from the paper's own construction."""
    standings = Counter(source.standing for source in sources)
    good = [source for source in sources if source.standing in BELIEVED]
    others = "".join(f", {standings[s]} {STANDINGS[s]}" for s in ("rejected", "unchecked") if standings[s])
    partly = f" ({standings['in part']} as far as it can be)" if standings["in part"] else ""
    many = len(good) if others else "all"
    words = f"{len(sources)} certificates, {many} re-checked just now and accepted{partly}{others}"
    if not good:
        return f"{len(sources)} certificates{others}: nothing in them is established."
    papers = _verdicts([source for source in good if not source.variant and not source.own])
    variants = _verdicts([source for source in good if source.variant])
    owns = _verdicts([source for source in good if source.own])
    said = [f"The paper's construction: {papers}."] if papers else []
    said += [f"Constructions that the files carry: {owns}."] if owns else []
    said += [f"VARIANTS of it: {variants}."] if variants else []
    return f"{words}. {' '.join(said)}"


def _verdicts(sources: Sequence[Source]) -> str:
    """How many claims have which verdict, counted in each certificate, and which are refuted."""
    counted = Counter(verdict_of(claim, source) for source in sources for claim in source.certificate["claims"])
    words = {"holds": ("claim holds", "claims hold"), "vacuous": ("is vacuous", "are vacuous")}
    words |= {"skipped": ("was not checked", "were not checked"), "refuted": ("is refuted", "are refuted")}
    words |= {"fails": ("fails only if the text is read literally", "fail only if the text is read literally")}
    said = [how_many(counted[verdict], *word) for verdict, word in words.items() if counted[verdict]]
    ids = dict.fromkeys(id_ for source in sources for id_ in by_verdict(source).get("refuted", []))
    return ", ".join(said) + (f" ({', '.join(ids)})" if ids else "")


def _overview(sources: Sequence[Source]) -> Html:
    rows = []
    for k, source in enumerate(sources, start=1):
        by = by_verdict(source)
        total = source.total
        counts = ", ".join(
            f"{len(by[v])} {'hold' if v == 'holds' and len(by[v]) > 1 else v}"
            for v in ("refuted", "fails", "holds", "vacuous", "skipped")
            if v in by
        )
        rows.append(
            [
                el("a", place(source), href=f"#c{k}"),
                badge(source.verdict) if source.standing in BELIEVED else standing(source),
                counts,
                thousands(total["orbits"]),
                "" if source.own else thousands(total["matrices"]),
                ", ".join(f"{name} = {short(text)}" for name, text in sorted(source.variant.items()))
                or (cut(source.subject, 120) if source.paper != DEFAULT else "the paper's"),
                source.standing,
                el("code", cut(source.name, 120)),
            ]
        )
    names = {f"({', '.join(source.sizes)})" for source in sources}
    several = {source.several for source in sources}
    head = [names.pop() if len(names) == 1 else "instance", "verdict", "claims"]
    head += [several.pop() if len(several) == 1 else "cases", "matrices", "construction", "checker", "file"]
    return table(head, rows, "The certificates of this page", "overview")


def _end(sources: Sequence[Source]) -> Html:
    authors = "Chulhee Yun, Srinadh Bhojanapalli, Ankit Singh Rawat, Sashank J. Reddi, Sanjiv Kumar"
    papers = {
        "yun": f"{authors}. {_TITLE} ICLR 2020. https://arxiv.org/abs/1912.10077",
        "hu": "Jerry Yao-Chieh Hu et al., NeurIPS 2024, App. E: the contextual map with positional encodings.",
        "slides": "A talk about the paper by Geelon So, 22 April 2020: its slides.",
    }
    read = ", the independent checker, which read each certificate just now" if sources else ""
    words = (
        f"What you trust when you trust this page: Python, the machine{read}, and the code that draws the pictures."
        " Every number is from a file, except those of a sweep and the dots of a small grid: the network itself"
        " computed them, in exact rationals, when the page was written. Lengths in pictures are rounded, and no verdict"
        " depends on them."
    )
    ours = not sources or any(source.paper == DEFAULT for source in sources)
    cited = [el("li", text, id=id_) for id_, text in papers.items()] if ours else []
    others = dict.fromkeys(source.subject for source in sources if source.paper != DEFAULT and not source.own)
    cited += [el("li", title) for title in others]
    return el("footer", el("h2", "Sources"), el("p", words), el("ul", *cited) if cited else None, id="sources")
