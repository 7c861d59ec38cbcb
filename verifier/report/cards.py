"""The claims of a report, one by one: statement, place, verdict, evidence, and the command to reproduce it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from verifier.catalogue import all_claims
from verifier.core.claim import KINDS, Claim
from verifier.report.markup import ByteBudget, Html, el, joined
from verifier.report.mathml import formula
from verifier.report.pictures import short
from verifier.report.sources import Source
from verifier.report.words import badge, command, cut, how_many, matrix_text, place, value_text, verdict_of

_SHARE = 1_000_000  # bytes of the page that the claims may take
_PLACES = (("Hu et al.", "hu"), ("slides", "slides"), ("not in the paper", ""), ("", "yun"))


def cards(sources: Sequence[Source], budget: ByteBudget) -> Html:
    """Every claim of any of the certificates, once, with the finding of each."""
    believed = [source for source in sources if source.standing != "rejected"]
    ids = {claim["id"] for source in believed for claim in source.certificate["claims"]}
    known = [claim for claim in all_claims().values() if claim.id in ids]
    keep = max(0, budget.left - _SHARE)
    folded: dict[str, list[Html]] = {}
    for k, claim in enumerate(known, start=1):
        card = _card(claim, believed, many=len(sources) > 1)
        small = el(
            "article",
            el("h3", el("code", claim.id)),
            el("p", "Left out, so that the page stays under 2 MB."),
            id=f"claim-{claim.id}",
        )
        fitting = budget.fit(card, small, keep=keep + 200 * (len(known) - k))
        folded.setdefault(claim.family, []).append(fitting)
    words = "Statement, place, verdict, the tightest case or the first counterexample, and the command to reproduce it."
    if not believed:
        return Html()
    parts = [
        el("details", el("summary", f"{family}: {how_many(len(its), 'claim', 'claims')}"), *its)
        for family, its in folded.items()
    ]
    return el("section", el("h2", "The claims, one by one"), el("p", words), *parts, id="claims")


def _card(claim: Claim, sources: Sequence[Source], *, many: bool) -> Html:
    entries = [
        (source, entry) for source in sources for entry in source.certificate["claims"] if entry["id"] == claim.id
    ]
    counted = Counter(verdict_of(entry) for _, entry in entries)
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
    else:  # not the words of this version: as they stand
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
    verdict = [badge(verdict_of(entry)), " "] if many else []  # else it stands above
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
    return el("div", el("p", *parts), el("pre", command(source, [entry["id"]]), tabindex=0), class_="finding")


def _evidence(shown: dict[str, Any]) -> Iterator[str]:
    yield formula(cut(shown["relation"], 300))
    yield f", {value_text(shown['value'])} against {value_text(shown['bound'])}"
    for word, key in ((", at ", "matrix"), (" and ", "other")):
        if key in shown:
            yield word
            yield matrix_text(shown[key])
