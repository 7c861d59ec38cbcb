"""Every small change of a Python file that a careful test should notice: operators, constants, guards, results.

Words are left alone: docstrings, annotations, decorators, what an error says.
"""

import ast
from collections import Counter
from collections.abc import Iterator

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
OTHER_CALL = {"min": "max", "max": "min", "all": "any", "any": "all"}
WORDS = {"annotation", "returns", "decorator_list", "exc", "bases", "type_params"}  # fields that are left alone
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    match node:
        case ast.Compare(left, ops, comparators):
            for k, op in enumerate(ops):
                yield ast.Compare(left, [*ops[:k], SWAPPED[type(op)](), *ops[k + 1 :]], comparators)
        case ast.BinOp(left, op, right) if type(op) in SWAPPED:
            yield ast.BinOp(left, SWAPPED[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in SWAPPED:
            yield ast.AugAssign(target, SWAPPED[type(op)](), value)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in OTHER_CALL:
            yield ast.Call(ast.Name(OTHER_CALL[name], ast.Load()), arguments, keywords)
        case ast.If(_, [*_, last], []) if isinstance(last, LEAVES):
            yield ast.Pass()  # the guard is gone
        case ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))


def _header(statement: ast.stmt) -> range:
    """Its lines, without those of the statements inside it."""
    inside = [inner.lineno for inner in ast.walk(statement) if isinstance(inner, ast.stmt) and inner is not statement]
    return range(statement.lineno, max(statement.lineno + 1, min([*inside, (statement.end_lineno or 0) + 1])))


Place = tuple[ast.AST, str, int | None, ast.AST, str, range]


def _places(node: ast.AST, where: str, lines: range) -> Iterator[Place]:
    """Every node below this one: parent, field, place in it, the node, its function, the lines of its statement."""
    for field, value in ast.iter_fields(node):
        if field in WORDS:
            continue
        for k, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # of zip: a guard that no right program meets
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                name = child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else ""
                inside = ".".join(filter(None, (where, name)))
                its = _header(child) if isinstance(child, ast.stmt) else lines
                yield node, field, k, child, inside, its
                yield from _places(child, inside, its)


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 80 else f"{text[:77]}..."


def _each(tree: ast.AST) -> Iterator[tuple[str, range]]:
    """Name and lines of one change after the other; meanwhile the tree is changed."""
    met = Counter[str]()
    for parent, field, k, node, where, lines in list(_places(tree, "", range(0))):
        for other in _changed(node):
            new = "(nothing)" if isinstance(other, ast.Pass) else _short(other)
            name = f"{where or 'module'}: {_short(node)} -> {new}"
            met[name] += 1
            held = getattr(parent, field)
            setattr(parent, field, [*held[:k], other, *held[k + 1 :]] if isinstance(held, list) else other)
            yield name + (f" #{met[name]}" if met[name] > 1 else ""), lines
            setattr(parent, field, held)


def names(source: str) -> dict[str, range]:
    """The changes of a file, each with the lines of its statement (of its head, where others are inside it)."""
    return dict(_each(ast.parse(source)))


def trees(source: str) -> Iterator[tuple[str, ast.Module]]:
    """Each change, and the file with it, every node where it was: one tree, to be used before the next is asked for."""
    tree = ast.parse(source)
    for name, _ in _each(tree):
        yield name, ast.fix_missing_locations(tree)


def changed(source: str, name: str) -> str:
    """The file with this one change."""
    return next(ast.unparse(tree) for found, tree in trees(source) if found == name)
