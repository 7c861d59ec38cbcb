"""What a run established: for each claim a finding, with the evidence."""

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches

from gmpy2 import mpq

from verifier.core.claim import Claim, Relation
from verifier.core.construction import Construction
from verifier.core.exact import Matrix, bracketed, text_of, value_text
from verifier.core.notebook import table_html
from verifier.core.space import Sizes
from verifier.run.shard import Shard

EQUALITY = "0 (equality)"  # the slack of a bound that is attained


@dataclass(frozen=True)
class Evidence:
    """A relation, with the matrices that it is about: one, or two for a pair, or none for the construction itself."""

    relation: Relation
    matrices: tuple[Matrix, ...]

    @property
    def slack(self) -> mpq:
        """How far an inequality is from failing."""
        slack = self.relation.slack
        if slack is None:
            raise ValueError(f"{self.relation.name} = {self.relation.bound_name} is an equality; it has no slack")
        return slack

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        """`q_2 = 27/2, not >= t_r = 16, at [-1/4, 0]`; without the `not` where it holds; `shifts = 3, but n = 2`."""
        relation, op = self.relation, self.relation.op
        bound, its = value_text(relation.bound), f"not {op}"
        if bound != relation.bound_name:
            bound, its = f"{relation.bound_in_words} = {bound}", "but" if op == "=" else its
        where = f", at {' and '.join(map(bracketed, self.matrices))}" if self.matrices else ""
        found = f"{relation.name} = {value_text(relation.value)}"
        return f"{found} {op} {bound}{where}" if relation.holds else f"{found}, {its} {bound}{where}"


@dataclass(frozen=True)
class Finding:
    """What a run established about one claim."""

    claim: Claim
    verdict: str  # holds, refuted, vacuous (no case exists) or skipped (`why` says why)
    cases: int
    failing: int = 0  # how many cases a refuted claim fails at
    edges: tuple[Evidence, ...] = ()  # the tightest case of each inequality that the claim is made of
    counterexample: Evidence | None = None
    why: str = ""

    def __repr__(self) -> str:
        shown = self.counterexample or self.tightest
        said = f"; {shown}" if shown else f"; {self.why}" if self.why else ""
        return f"<{self.claim.id}: {self.verdict}, {self.cases:,} case{'' if self.cases == 1 else 's'}{said}>"

    def _repr_html_(self) -> str:
        id_, _, verdict, cases, slack, shown = self.row
        said = "counterexample" if self.counterexample else "tightest case"
        rows = [("claim", self.claim.says), ("in a formula", self.claim.formula), ("verdict", verdict)]
        rows += [("cases", cases), *([("slack", slack)] if slack else []), (said, shown)]
        return table_html(id_, ("", id_), rows)

    @property
    def row(self) -> tuple[str, str, str, str, str, str]:
        """A line of a table: claim, what it says, verdict, cases, slack, the counterexample or the tightest case."""
        shown = self.counterexample or self.tightest
        said = str(shown) if shown else self.why
        return self.claim.id, self.claim.in_short, self.told, f"{self.cases:,}", self.slack[:300], said[:300]

    @property
    def told(self) -> str:
        """The verdict; a refuted claim of an excluded reading only `fails`."""
        return "fails" if self.claim.excluded and self.verdict == "refuted" else self.verdict

    @property
    def slack(self) -> str:
        """The least slack of a claim that holds, in words where it is 0 or has none."""
        if self.verdict != "holds":
            return ""
        if self.tightest is None:
            return "" if self.why else "equal"
        return text_of(self.tightest.slack) if self.tightest.slack else EQUALITY

    @property
    def tightest(self) -> Evidence | None:
        """The evidence with the least slack; if some is about a matrix, the least of that."""
        return min(self.edges, key=lambda edge: (not edge.matrices, edge.slack), default=None)


@dataclass(frozen=True)
class Result:
    """What a run established; `result["lemma6.1"]` is its finding about that claim."""

    construction: Construction
    coverage: dict[str, Sizes]  # empty if no claim ranges over the space
    findings: tuple[Finding, ...]
    shards: tuple[Shard, ...]
    engine: str  # which engine ran the cases, in words

    @property
    def verdict(self) -> str:
        """refuted if any claim is; else incomplete if any was skipped, or if all are vacuous; else holds. Excluded
        readings don't count."""
        verdicts = {finding.verdict for finding in self.findings if not finding.claim.excluded}
        if "refuted" in verdicts:
            return "refuted"
        return "incomplete" if "skipped" in verdicts or verdicts == {"vacuous"} else "holds"

    def __repr__(self) -> str:
        """In a line or two; print_result prints it all."""
        by_verdict = Counter(finding.verdict for finding in self.findings)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in by_verdict.items())
        refuted = f": {', '.join(self.refuted)}" if self.refuted else ""
        return f"<Result at {self.construction}: {self.verdict}{refuted} ({counts})>"

    def _repr_html_(self) -> str:
        others = [finding for finding in self.findings if finding not in self.foremost]
        rows = [finding.row for finding in (*self.foremost, *others)]
        head = ("claim", "what it says", "verdict", "cases", "slack", "tightest case, or counterexample")
        return table_html(repr(self)[1:-1], head, rows)

    @property
    def foremost(self) -> list[Finding]:
        """What is told first: Lemma 6 (the claims that have a phrase), then what else is refuted or skipped."""
        first = [finding for finding in self.findings if finding.claim.phrase]
        return first + [f for f in self.findings if not f.claim.phrase and f.verdict in ("refuted", "skipped")]

    def __getitem__(self, claim_id: str) -> Finding:
        for finding in self.findings:
            if finding.claim.id == claim_id:
                return finding
        ids = [finding.claim.id for finding in self.findings]
        family, near = [id_ for id_ in ids if id_.startswith(f"{claim_id}.")], get_close_matches(claim_id, ids)
        hint = f"did you mean {near[0]}?" if near and len(ids) > 6 else f"there are {', '.join(ids)}"
        hint = f"it is a family: {', '.join(family)}" if family else hint
        raise KeyError(f"{claim_id} was not run; {hint}")

    @property
    def refuted(self) -> list[str]:
        """The ids of the claims that are refuted."""
        return [finding.claim.id for finding in self.findings if finding.verdict == "refuted"]
