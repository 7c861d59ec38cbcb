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
            yield ast.Call(ast.Name(OTHER_CALL[name]), arguments, keywords)
        case ast.If(_, [*_, last], []) if isinstance(last, LEAVES):
            yield ast.Pass()  # the guard is gone
        case ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))


def _places(node: ast.AST, where: str) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, str]]:
    """Every node below this one with its parent, the field and the place in it, and the function that it is in."""
    for field, value in ast.iter_fields(node):
        if field in WORDS:
            continue
        for k, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # of zip: a guard that no right program meets
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                name = child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else ""
                inside = ".".join(filter(None, (where, name)))
                yield node, field, k, child, inside
                yield from _places(child, inside)


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 80 else f"{text[:77]}..."


def _each(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Name and line of one change after the other; meanwhile the tree is changed."""
    met = Counter[str]()
    for parent, field, k, node, where in list(_places(tree, "")):
        for other in _changed(node):
            new = "(nothing)" if isinstance(other, ast.Pass) else _short(other)
            name = f"{where or 'module'}: {_short(node)} -> {new}"
            met[name] += 1
            held = getattr(parent, field)
            setattr(parent, field, [*held[:k], other, *held[k + 1 :]] if isinstance(held, list) else other)
            yield name + (f" #{met[name]}" if met[name] > 1 else ""), getattr(node, "lineno", 0)
            setattr(parent, field, held)


def names(source: str) -> dict[str, int]:
    """The changes of a file, each with its line."""
    return dict(_each(ast.parse(source)))


def changed(source: str, name: str) -> str:
    """The file with this one change."""
    tree = ast.parse(source)
    return next(ast.unparse(ast.fix_missing_locations(tree)) for found, _ in _each(tree) if found == name)
