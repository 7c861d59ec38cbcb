"""A symbolic certificate for people: a table for a terminal, and the whole proof as Markdown."""

import re
from typing import Any

from verifier.catalogue import all_claims
from verifier.symbolic.claims import CLAIMS, RULES, false_for

# What each group of facts is in the paper, by the first part of their names.
_STEPS = {
    "p": "Powers: p_e = N^e, B = N^d, P_j = B^j",
    "row": "App. B.5: u^T is one-to-one on the columns without a sentinel (`b5.ids`)",
    "sentinel": "App. B.5: a column with a sentinel (`b5.ids-sentinel`)",
    "head": "App. B.5: a head psi(X; b); the scores of column j are x_i (x_j - b) (Lemma H)",
    "layer": "App. B.5: a layer of the sweep, at the level L, with thresholds L - 1/2 and L + 1/2 (Lemma S)",
    "k": "The ids k_1 < ... < k_m of a context",
    "t": "App. B.5.1: first shift, and repeating the process, by t_j = k_j + B (t_{j-1} - k_j)",
    "sweep": "App. B.5.1: the sweep meets each id once, and no shifted one",
    "global": "App. B.5.1: the global shift",
    "closed": "App. B.5.1: the closed form, C_j its sum by Horner's rule",
    "lower": "Lemma 10: both bounds, and their sharp forms",
    "digit": "Lemma 10, App. B.5.4: one-to-one, by k_j = t_j mod B",
    "small": "App. B.5.1: an interval of its own for each context (Property 6.2)",
    "within": "Lemma 6: Properties 1, 2 and 3",
    "cat2": "App. B.5.2: Category 2",
    "cat3": "App. B.5.3: Category 3, by r_j = k_j + B (r_{j-1} - y), y the smallest id",
    "layers": "Lemma 6: the number of layers",
    "U": "App. C: E = s_2, the distance of the blocks of levels; the ids l_j = (j-1) E + b_j of a context (`c.ids`)",
    "pos": "App. C: the sweep, lt_j = l_j + B (lt_{j-1} - l_j)",
    "again": "App. C, d = 1 and n = 2: the context whose first column is found twice",
    "apart": "App. C: the global shift, by n N P_{n+1} times the largest id, and the contexts told apart",
    "piece": "App. C: the quantiser, of [I, I + 1), the piece of an entry, and [L, L + 1), the window of a level",
    "size": "Theorem 3: the number of layers",
}
_SAME = {"upper": "lower", "B": "p", "P": "p", "interval": "small", "across": "within", "inside": "within", "r": "cat3"}
_SAME |= {"E": "U", "id": "U", "l": "U", "lt": "pos"}
_SAME |= dict.fromkeys(("pos.above", "pos.bound", "pos.start", "pos.end", "pos.next", "pos.within"), "apart")
_SAME |= dict.fromkeys(("pos.digit.differ", "pos.digit.same"), "apart")


def domain(document: dict[str, Any]) -> str:
    return f"{'all n >= 2' if document['n'] == 'all' else 'n = ' + document['n']}, all d >= 1 and all N >= 2"


def as_text(document: dict[str, Any]) -> str:
    facts = {fact["name"]: len(fact["obligations"]) for fact in document["facts"]}
    rows = [f" {'claim':<22} {'facts':>5} {'obligations':>11}"]
    rows += [
        f" {claim['id']:<22} {len(claim['facts']):>5} {sum(facts[name] for name in claim['facts']):>11}"
        for claim in document["claims"]
    ]
    count = f"{len(facts)} facts, {sum(facts.values())} obligations (lemmas included)"
    assumed = "\n".join(
        ["Assumed, for a person to judge, not a program:", *(f"- {words}" for words in document["assumed"])]
    )
    ids = [claim["id"] for claim in document["claims"]]
    n = None if document["n"] == "all" else int(document["n"])
    false = "".join(f"not covered: {words}\n" for i, words in false_for(n).items() if f"{i}-repaired" in ids)
    return f"proved for {domain(document)}\n\n" + "\n".join(rows) + f"\n\n{count}\n{assumed}\n{false}"


def as_markdown(document: dict[str, Any]) -> str:
    known, facts = all_claims(), {fact["name"]: fact for fact in document["facts"]}
    out = [f"# A proof for {domain(document)}", "", document["statement"], ""]
    out += [
        "Numbers are in units of delta. Of each obligation: what has to be shown; what is written for symbols of it;",
        "what is used, H >= 0 or = 0, as h1, h2, ...; and the sum that it is then, of terms >= 0 (SYMBOLIC.md).",
        "",
        "## What is proved",
        "",
        "Each by facts, and by rules, which link the recursions with the network (SYMBOLIC.md, 5):",
        "",
        *(f"- *{rule}*: {', '.join(parts)}." for rule, parts in RULES.items()),
        "",
    ]
    for claim in document["claims"]:
        where = f" ({known[claim['id']].where})" if claim["id"] in known else ""
        out += [f"- `{claim['id']}`{where}: {claim['statement']}", f"  By {', '.join(CLAIMS[claim['id']])}."]
    seen = ""
    for name, fact in facts.items():
        group = name.partition(".")[0]
        group = _SAME.get(name, _SAME.get(group, group))
        if group != seen:
            out += ["", f"## {_STEPS[group]}", ""]
            seen = group
        out += [f"**{name}**: {fact['statement']}", ""]
        for one in fact["obligations"]:
            out.append(f"- {one['case'] + ': ' if one['case'] else ''}${_math(one['goal'])}$")
            if one["replace"]:
                out.append(f"  - by definition {', '.join(map(_step, one['replace']))}")
            if one["use"]:
                out.append(f"  - h: {', '.join(f'{k}. {_step(step)}' for k, step in enumerate(one['use'], start=1))}")
            out.append(f"  - $= {_math(one['sum'])}$")
        out.append("")
    out += ["## What is assumed", "", *(f"- {words}" for words in document["assumed"]), ""]
    out += ["## What is not covered", "", *(f"- {words}" for words in document["not_covered"]), ""]
    return "\n".join(out)


def _step(step: dict[str, Any]) -> str:
    if step["fact"] == "range":
        return f"{step['at']['low']} <= {step['at']['high']}"
    at = ", ".join(f"{name} = {words}" for name, words in sorted(step["at"].items()))
    name = "the induction hypothesis" if step["fact"] == "before" else step["fact"]
    return f"{name} ({at})" if at else name


def _math(polynomial: str) -> str:
    subscripts = re.sub(r"([A-Za-z]+)\[([^\]]*)\]", r"\1_{\2}", polynomial)
    named = re.sub(r"\bh(\d+)", r"h_{\1}", subscripts).replace("y0", "y_0")
    named = re.sub(r"\b(low|top|lt|bs|id|LL|LT|BB)_", r"\\mathit{\1}_", named)
    named = re.sub(r"\b(la|LA)\b", r"\\mathit{\1}", named)
    return re.sub(r"\^(\d+)", r"^{\1}", named).replace("*", " ")
