"""Mutants of the checker of pages: one thing in its program broken, systematically from the syntax tree. A comparison,
an operator, a bound, an index, a look that is missing, a row of a table; each is noticed by a page of tests/pages.

What only costs is left as it is: limits (OverLimit), steps that are spent, sums of costs; and so are messages.
`cd tests; python -m checker_mutants [MODULE ...] [K/M]` tells the survivors of which checker_mutants.toml doesn't say
why, and those of which it does that are noticed. A mutant is judged in a process of its own: it may crash, or not end.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import re
import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple
from zlib import crc32

ROOT = Path(__file__).parent.parent
PACKAGE = "verifier.checker.page"
PAGES = ROOT / "tests/pages"
# In an order in which they can be loaded; the tree of a page is read as it is.
LOADED = ("numbers", "values", "builtins", "tree", "rules", "evaluate", "networks", "ledger", "everywhere", "lines",
          "cases", "form", "derive")  # fmt: skip
MODULES = tuple(name for name in LOADED if name != "tree")
LEFT_OUT = {"reals_shapes"}  # seconds
STEPS = 20_000_000
LONG = 110  # a line in a name

OTHER_SIGN = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OTHER_OPERATOR = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
OTHER_FUNCTION = {"min": "max", "max": "min", "all": "any", "any": "all"}
# Calls f(a, ...) that a stands for, and calls of a method that self.of(tree, scope) stands for
LOOKS = {"number", "truth", "listed", "whole", "of_numbers", "sorted", "reversed", "abs", "tokens_of"}
LOOKS_OF_METHODS = {"known", "within", "truth", "whole"}
MESSAGES = {"words_for", "wrong", "meant", "several", "added", "__repr__"}
COSTS = {"series", "root", "weights", "deep", "__hash__"}


class Mutant(NamedTuple):
    """`name` says where and what; `statement` is the place of what it stands in, None outside of functions."""

    name: str
    module: str
    statement: tuple[int, int] | None
    node: ast.AST
    field: str
    new: Any


def exchanged(node: ast.AST, field: str, new: Any) -> Any:
    old = getattr(node, field)
    setattr(node, field, new)
    return old


# What is broken
Change = tuple[ast.AST, str, Any, ast.stmt]


def limit(node: ast.AST) -> bool:
    """What ends that which takes too much, or counts steps."""
    if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
        return limit(node.body[0])
    if isinstance(node, ast.Raise):
        return "OverLimit" in ast.unparse(node)
    if isinstance(node, ast.Assign | ast.AugAssign):
        return re.match(r"(\w+, )?(cost\b|self\.steps)|before = \w+\.steps", ast.unparse(node)) is not None
    return isinstance(node, ast.Expr) and re.match(r"too_long\(|.*\.(spend|many)\(", ast.unparse(node)) is not None


def message(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def with_item(found: list[Any], k: int, *new: Any) -> list[Any]:
    return [*found[:k], *new, *found[k + 1 :]]


def changes(node: ast.AST, inside: ast.stmt | None) -> Iterator[Change]:
    """What is changed of a node, and of all below it."""
    if isinstance(node, ast.FunctionDef) and node.name in MESSAGES | COSTS:
        return
    if isinstance(node, ast.stmt):
        inside = node
    for field, old in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "slots") or (field == "keywords" and is_strict(old)):
            continue
        for k, part in enumerate(old) if isinstance(old, list) else [(None, old)]:
            if not isinstance(part, ast.AST) or isinstance(part, ast.JoinedStr) or limit(part):
                continue
            refusal = isinstance(node, ast.Call) and called(node) in ("Refused", "wrong")
            if refusal and (field != "args" or k or message(part)):  # its place alone
                continue
            here = part if isinstance(part, ast.stmt) else inside
            for new in instead(part):
                yield node, field, (new if k is None else with_item(old, k, new)), here  # type: ignore[misc]
            yield from changes(part, inside)
    for field, new in shorter(node):
        yield node, field, new, inside  # type: ignore[misc]


def is_strict(old: Any) -> bool:
    return isinstance(old, list) and any(getattr(one, "arg", None) == "strict" for one in old)


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def instead(node: ast.AST) -> Iterator[ast.AST]:
    """What stands instead of a node."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BoolOp):
        if len(node.values) == 2:
            yield from node.values
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Call):
        name = called(node)
        if isinstance(node.func, ast.Name) and name in LOOKS and node.args:
            yield node.args[0]
        elif isinstance(node.func, ast.Attribute) and name in LOOKS_OF_METHODS and len(node.args) > 1:
            yield ast.Call(ast.Attribute(node.func.value, "of", ast.Load()), node.args[:2], [])
    elif isinstance(node, ast.If):
        if node.orelse:
            yield ast.If(ast.Constant(True), node.body, [])
            yield ast.If(ast.Constant(True), node.orelse, [])
        else:
            yield ast.Pass()
            if not isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue):
                yield ast.If(ast.Constant(True), node.body, [])
    elif nothing_follows(node):
        yield ast.Pass()


def nothing_follows(node: ast.AST) -> bool:
    """Whether the statement can be left out, and what follows can be run."""
    if isinstance(node, ast.Expr):
        return not message(node.value) and not isinstance(node.value, ast.Yield | ast.YieldFrom)
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    return isinstance(node, ast.AugAssign)


def shorter(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """What of a node is exchanged, or left out."""
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            yield "ops", with_item(node.ops, k, OTHER_SIGN[type(op)]())
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(node.comparators[0], ast.Tuple):
            (names,) = node.comparators
            for k in range(len(names.elts)):
                yield "comparators", [ast.Tuple(with_item(names.elts, k), ast.Load())]
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        yield "op", OTHER_OPERATOR[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        yield "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
        if len(node.values) > 2:
            for k in range(len(node.values)):
                yield "values", with_item(node.values, k)
    elif isinstance(node, ast.comprehension):
        for k in range(len(node.ifs)):
            yield "ifs", with_item(node.ifs, k)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in OTHER_FUNCTION:
            yield "func", ast.Name(OTHER_FUNCTION[node.func.id], ast.Load())
        if node.func.id == "Builtin":
            for k, keyword in enumerate(node.keywords):
                if keyword.arg != "cost":
                    yield "keywords", with_item(node.keywords, k)
    elif isinstance(node, ast.Dict) and len(node.values) > 2 and None not in node.keys:
        for k in range(len(node.values)):
            other = node.values[(k + 1) % len(node.values)]
            if isinstance(other, ast.Call) and called(other) == "Builtin":
                mine = node.values[k]
                row = ast.Call(mine.func, with_item(mine.args, 0, other.args[0]), mine.keywords)  # type: ignore[attr-defined]
                yield "values", with_item(node.values, k, row)
            else:
                yield "values", with_item(node.values, k, other)


def source(module: str) -> ast.Module:
    return ast.parse((ROOT / PACKAGE.replace(".", "/") / f"{module}.py").read_text(encoding="utf-8"))


def mutants(module: str) -> list[Mutant]:
    tree, seen, found = source(module), Counter[str](), list[Mutant]()
    named = dict[int, tuple[str, bool]]()

    def name_all(node: ast.AST, name: str, function: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                named[id(child)] = name, function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name_all(child, f"{name}.{child.name}", isinstance(child, ast.FunctionDef) or function)
            else:
                name_all(child, name, function)

    name_all(tree, module, False)
    for node, field, new, statement in list(changes(tree, None)):
        owner, inside = named[id(statement)]
        difference = told(tree if statement is None else statement, node, field, new)
        if not difference:
            continue
        name = f"{owner}: {difference}"
        seen[name] += 1
        if seen[name] > 1:
            name += f"  ({seen[name]})"
        place = (statement.lineno, statement.col_offset) if inside else None
        found.append(Mutant(name, module, place, node, field, new))
    TREES[module] = tree
    return found


TREES: dict[str, ast.Module] = {}


def told(statement: ast.stmt, node: ast.AST, field: str, new: Any) -> str:
    """The first line that is another one, before and after."""
    before = ast.unparse(statement).split("\n")
    old = getattr(node, field)
    if isinstance(old, list) and statement in old:  # the statement itself is exchanged
        changed = next(one for one in new if not any(one is other for other in old))
        after = ast.unparse(ast.fix_missing_locations(changed)).split("\n")
    else:
        exchanged(node, field, new)
        after = ast.unparse(statement).split("\n")
        exchanged(node, field, old)
    lines = zip([*before, ""], [*after, ""], strict=False)
    a, b = next(((a.strip(), b.strip()) for a, b in lines if a != b), ("", ""))
    if max(len(a), len(b)) > LONG:  # what differs, and a little around it
        start = max(0, alike(a, b) - LONG // 3)
        end = max(0, min(alike(a[::-1], b[::-1]) - LONG // 3, len(a) - start, len(b) - start))
        a, b = (f"..{one[start : len(one) - end]}.." for one in (a, b))
    return f"{a}  ->  {b}" if a != b else ""


def alike(a: str, b: str) -> int:
    """How many characters they begin with together."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


# Pages, and what the checker says of them
WRONG: list[tuple[str, dict[str, int], dict[str, Fraction], tuple[str, ...]]] = [
    ("sums_of_powers", {"m": 1}, {}, ("sums.bounded",)),
    ("sums_of_powers", {"m": 1, "k": 1, "z": 1}, {}, ("sums.bounded",)),
    ("sums_of_powers", {}, {}, ("sums.distinct", "sums.bounded")),
    ("sums_of_powers", {}, {}, ("sums.bounded", "sums.bounded")),
    ("sums_of_powers", {}, {}, ("sums.bounded", "sums.other")),
    ("sums_of_powers", {}, {}, ("sums.other",)),
    ("sums_of_powers", {}, {}, ()),
    ("numbers", {}, {"third": Fraction(1)}, ("n.arithmetic",)),
    ("numbers", {}, {"half": Fraction(1, 2)}, ("n.arithmetic",)),
]  # what nobody may ask of a page: other sizes, claims, numbers to exchange


class Asked(NamedTuple):
    """A page at some sizes."""

    name: str
    text: str
    sizes: dict[str, int]
    variant: dict[str, Fraction]
    ids: tuple[str, ...] | None  # None: all


def pages() -> list[Asked]:
    found = []
    for folder in ("pass", "fail"):
        for path in sorted((PAGES / folder).glob("*.page")):
            if path.stem in LEFT_OUT:
                continue
            beside, text = path.with_suffix(".json"), path.read_bytes().decode()
            for k, asked in enumerate(json.loads(beside.read_text()) if beside.exists() else [{"sizes": {}}]):
                variant = {name: Fraction(value) for name, value in asked.get("variant", {}).items()}
                ids = tuple(one["id"] for one in asked["certificate"]["claims"]) if "certificate" in asked else None
                found.append(Asked(f"{folder}/{path.stem}.{k}", text, asked["sizes"], variant, ids))
    sizes = {one.name: one.sizes for one in found}
    for k, (page, more, variant, ids) in enumerate(WRONG):
        text = (PAGES / f"pass/{page}.page").read_bytes().decode()
        found.append(Asked(f"fail/{page}, asked wrongly.{k}", text, sizes[f"pass/{page}.0"] | more, variant, ids))
    return found


def answer(asked: Asked) -> object:
    """The bytes of the certificate, or where and why the page is refused."""
    derive, tree, words = (sys.modules[f"{PACKAGE}.{name}"] for name in ("derive", "tree", "words"))
    try:
        ids = [claim.id for claim in tree.parse(asked.text).claims] if asked.ids is None else asked.ids
        return derive.derive(asked.text, asked.sizes, asked.variant, ids, derive.Limits(steps=STEPS))
    except words.Refused as refused:
        return refused.place, str(refused)


def load(codes: dict[str, CodeType]) -> None:
    """These modules anew, and all that are loaded after the first of them."""
    package = import_module(PACKAGE)
    first = min(LOADED.index(name) for name in codes)
    for name in LOADED[first:]:
        module = ModuleType(f"{PACKAGE}.{name}")
        module.__package__ = PACKAGE
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        exec(codes.get(name) or CODES[name], module.__dict__)  # noqa: S102


CODES: dict[str, CodeType] = {}


class Judge:
    """What the checker says of each page as it is, how long it takes, and which statements it comes to."""

    def __init__(self) -> None:
        for name in LOADED:
            CODES[name] = compile(source(name), f"{name}.py", "exec")
        import_module(f"{PACKAGE}.derive")
        self.pages = pages()
        self.right = dict[str, object]()
        self.seconds = dict[str, float]()
        self.statements = dict[str, set[tuple[str, int, int]]]()
        load(CODES)
        for asked in self.pages:
            begun = time.process_time()
            self.right[asked.name] = answer(asked)
            self.seconds[asked.name] = time.process_time() - begun
            if isinstance(self.right[asked.name], bytes) == asked.name.startswith("fail"):
                raise ValueError(f"{asked.name}: {self.right[asked.name]!r}")
        self.look()
        load(CODES)
        self.pages.sort(key=lambda asked: self.seconds[asked.name])

    def look(self) -> None:
        """Which statements each page comes to: each says so first."""
        seen = set[tuple[str, int, int]]()
        codes = {}
        for name in MODULES:
            tree = source(name)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    saying(node, name)
            codes[name] = compile(ast.fix_missing_locations(tree), f"{name}.py", "exec")
        vars(sys.modules["builtins"])["_came_to"] = seen.add
        load(codes)
        when_loaded = set(seen)
        for asked in self.pages:
            seen.clear()
            answer(asked)
            self.statements[asked.name] = seen | when_loaded
        del vars(sys.modules["builtins"])["_came_to"]

    def notices(self, mutant: Mutant) -> bool:
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            return status != 0
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
            exchanged(mutant.node, mutant.field, mutant.new)
            load({mutant.module: compile(ast.fix_missing_locations(TREES[mutant.module]), "mutant", "exec")})
            for asked in self.pages:
                came_to = self.statements[asked.name]
                if mutant.statement is None or (mutant.module, *mutant.statement) in came_to:
                    signal.setitimer(signal.ITIMER_PROF, 0.5 + 10 * self.seconds[asked.name])
                    if answer(asked) != self.right[asked.name]:
                        os._exit(1)
        except BaseException:
            os._exit(2)
        os._exit(0)


def saying(function: ast.FunctionDef, module: str) -> None:
    """Each statement of a function says first that it is come to; those of functions in it are left to these."""

    def said(body: list[ast.stmt]) -> list[ast.stmt]:
        found = list[ast.stmt]()
        for statement in body:
            where = ast.Constant((module, statement.lineno, statement.col_offset))
            found += [ast.Expr(ast.Call(ast.Name("_came_to", ast.Load()), [where], [])), statement]
            if not isinstance(statement, ast.FunctionDef):
                for one in (statement, *getattr(statement, "handlers", [])):
                    for field in ("body", "orelse", "finalbody"):
                        if getattr(one, field, None):
                            setattr(one, field, said(getattr(one, field)))
        return found

    function.body = said(function.body)


def explained() -> dict[str, str]:
    """Survivors, each with the reason."""
    told_ = tomllib.loads((Path(__file__).parent / "checker_mutants.toml").read_text(encoding="utf-8"))
    return {mutant: entry["why"] for entry in told_["survives"] for mutant in entry["mutants"]}


def all_mutants(modules: tuple[str, ...] = MODULES) -> list[Mutant]:
    return [mutant for name in modules for mutant in mutants(name)]


def part(chosen: list[Mutant], k: int, m: int) -> list[Mutant]:
    """One in m, by their names."""
    return [one for one in chosen if crc32(one.name.encode()) % m == k % m]


def wrong(chosen: list[Mutant]) -> Iterator[str]:
    """The survivors that nothing explains, and what is explained and noticed."""
    judge, known = Judge(), explained()
    gc.collect()
    gc.freeze()
    for mutant in chosen:
        if judge.notices(mutant) == (mutant.name in known):
            yield f"{'is noticed now' if mutant.name in known else 'survives, and nothing says why'}: {mutant.name}"


def main(words: list[str]) -> None:
    """All mutants of these modules, or of all; K/M: one in M."""
    k, m = map(int, next((word for word in words if "/" in word), "1/1").split("/"))
    chosen = part(all_mutants(tuple(word for word in words if "/" not in word) or MODULES), k, m)
    found = 0
    for line in wrong(chosen):
        print(line, flush=True)
        found += 1
    print(f"{len(chosen):,} mutants, {found} of them not as checker_mutants.toml says")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(sys.argv[1:])
