"""The claims of a report, one by one: statement, place, verdict, evidence, and the command to reproduce it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from verifier.catalogue import all_claims, named
from verifier.core.claim import KINDS, Claim, in_words
from verifier.report.markup import ByteBudget, Html, el, joined
from verifier.report.mathml import formula
from verifier.report.pictures import short
from verifier.report.sentences import typeset
from verifier.report.sources import Source
from verifier.report.words import badge, command, cut, how_many, matrix_text, place, value_text, verdict_of

_SHARE = 1_200_000  # bytes of the page for all claims
_PLACES = (("Hu et al.", "hu"), ("slides", "slides"), ("not in the paper", ""), ("", "yun"))


def cards(sources: Sequence[Source], budget: ByteBudget) -> Html:
    """Every claim of any of the certificates, once, with the finding of each."""
    believed = [source for source in sources if source.standing != "rejected"]
    if not believed:
        return Html()
    claims = list(_claims(believed))
    keep = max(0, budget.left - _SHARE)
    folded: dict[str, list[Html]] = {}
    for k, (claim, its) in enumerate(claims, start=1):
        many = len(sources) > 1
        small = el(
            "article",
            el("h3", el("code", claim.id)),
            el("p", "Left out, so that the page stays under 2 MB."),
            id=f"claim-{claim.id}",
        )
        fitting = budget.fit(typeset(_card(claim, its, many=many)), small, keep=keep + 200 * (len(claims) - k))
        folded.setdefault(claim.family, []).append(fitting)
    words = "Statement, place, verdict, the tightest case or the first counterexample, and the command to reproduce it."
    parts = [
        el("details", el("summary", f"{named(family)}: {how_many(len(its), 'claim', 'claims')}"), *its)
        for family, its in folded.items()
    ]
    return el("section", el("h2", "The claims, one by one"), el("p", words), *parts, id="claims")


def _claims(sources: Sequence[Source]) -> Iterator[tuple[Claim, list[Source]]]:
    """The claims, in each paper's order, and the certificates that may have them."""
    for paper in dict.fromkeys(source.paper for source in sources):
        its = [source for source in sources if source.paper == paper]
        ids = {claim["id"] for source in its for claim in source.certificate["claims"]}
        for claim in all_claims(paper).values():
            if claim.id in ids:
                yield claim, its


def _card(claim: Claim, sources: Sequence[Source], *, many: bool) -> Html:
    entries = [
        (source, entry) for source in sources for entry in source.certificate["claims"] if entry["id"] == claim.id
    ]
    counted = Counter(verdict_of(entry, source) for source, entry in entries)
    verdicts = ("refuted", "fails", "holds", "vacuous", "skipped")
    badges = [badge(v, f"{v} {counted[v]}×" if many else v) for v in verdicts if counted[v]]
    statements = list(dict.fromkeys(entry["statement"] for _, entry in entries))
    said = f"{claim.says} [{claim.formula}]"
    if statements == [said]:
        words = joined(
            [
                el("p", claim.says),
                el(
                    "div",
                    formula(claim.formula, block=True),
                    class_="formula",
                    tabindex=0,
                    role="group",
                    aria_label="formula",
                ),
            ]
        )
    else:  # a statement of another version: as it is
        words = joined(el("p", el("code", cut(statement))) for statement in statements[:5])
    needs = el("p", f"Needs, beyond what is stated: {claim.needs}") if claim.needs else None
    return el(
        "article",
        el("h3", el("code", claim.id), " ", *badges),
        words,
        needs,
        el("p", el("strong", claim.kind), f": {KINDS[claim.kind]}", class_="place"),
        el("p", _where(claim.where), f" · over {claim.domain.words} · checked: {claim.how}", class_="place"),
        *(_finding(source, entry, many=many) for source, entry in entries),
        id=f"claim-{claim.id}",
        class_="claim",
    )


def _where(where: str) -> Html:
    anchor = next(anchor for words, anchor in _PLACES if words in where)
    return el("a", where, href=f"#{anchor}") if anchor else el("span", where)


def _finding(source: Source, entry: dict[str, Any], *, many: bool) -> Html:
    """The finding of one certificate about one claim."""
    where = [el("strong", place(source) + (" variant" if source.variant else "")), " "] if many else []
    verdict = [badge(verdict_of(entry, source)), " "] if many else []  # else it is shown above
    parts: list[str] = [*where, *verdict, how_many(entry["cases"], "case", "cases")]
    if shown := entry.get("counterexample"):
        parts.append(joined([f", {how_many(shown['failing'], 'fails', 'fail')}; the first: ", *_evidence(shown)]))
    elif shown := entry.get("tightest"):
        attained = " (with equality)" if shown["slack"] == "0" else ""
        parts.append(joined(["; the tightest: ", *_evidence(shown), f"; slack {short(shown['slack'])}{attained}"]))
    elif "why" in entry:
        parts.append(f"; {cut(entry['why'], 300)}")
    else:
        parts.append("; equal in every case")
    again = command(source, [entry["id"]])
    return el("div", el("p", *parts), el("pre", again, tabindex=0) if again else None, class_="finding")


def _evidence(shown: dict[str, Any]) -> Iterator[str]:
    yield formula(in_words(cut(shown["relation"], 300)))
    yield f", {value_text(shown['value'])} against {value_text(shown['bound'])}"
    for word, key in ((", at ", "matrix"), (" and ", "other")):
        if key in shown:
            yield word
            yield matrix_text(shown[key])
