"""The functions that the language has (LANGUAGE.md 2), a row each. Names, forms, colours, random pages and Coq's words
follow from these rows; verifier/evaluate/builtins.py has the function that computes each.

What a row leaves out has the cautious answer: nothing that depends on a real number, and a table in a layer's form.
"""

from dataclasses import dataclass

MOST = 10_000  # an argument that must be known is a whole number from 0 to this


@dataclass(frozen=True)
class Builtin:
    name: str
    takes: tuple[str, ...]  # the kinds of its arguments: number, truth, list, or any
    makes: str  # number, truth, list; matrix
    folds: bool = False  # it takes one list, several values, or E for j in R, whose items are of that kind
    known: str = ""  # which arguments must follow from the sizes: none, all, or the last one
    real: str = ""  # of what depends on a real number: affine on each cell, a product, a step; "" is refused
    degree: str = "table"  # in a layer's form: that of a sum, of a product, or of a table
    beyond: str = "a function that Core.v doesn't have"  # why no theorem of Coq speaks of it, or nothing

    @property
    def told(self) -> str:
        """What messages call the arguments that must be known."""
        return f"the last argument of {self.name}" if self.known == "last" else f"what {self.name} is of"

    def is_known(self, k: int) -> bool:
        """Whether argument k, from 0, must be known."""
        return self.known == "all" or (self.known == "last" and k == len(self.takes) - 1)


A_BOUND = "a bound of a function"
_ROWS = (
    Builtin("sum", ("number",), "number", folds=True, real="affine", degree="sum", beyond=""),
    Builtin("max", ("number",), "number", folds=True, real="affine", beyond=""),
    Builtin("min", ("number",), "number", folds=True, real="affine", beyond=""),
    Builtin("count", ("truth",), "number", folds=True, real="step", beyond=""),
    Builtin("all", ("truth",), "truth", folds=True, real="step", beyond=""),
    Builtin("any", ("truth",), "truth", folds=True, real="step", beyond=""),
    Builtin("len", ("any",), "number", folds=True, real="step", beyond=""),
    Builtin("sorted", ("number",), "list", folds=True, real="affine", beyond=""),
    Builtin("distinct", ("any",), "number", folds=True, beyond=""),
    Builtin("abs", ("number",), "number", real="affine", beyond=""),
    Builtin("comb", ("number", "number"), "number", known="all", beyond=""),
    Builtin("fact", ("number",), "number", known="all", beyond=""),
    Builtin("unit", ("number", "number"), "list", known="all", beyond=""),
    Builtin("column", ("list",), "matrix", real="affine", degree="sum", beyond=""),
    Builtin("dot", ("list", "list"), "number", real="product", degree="product", beyond=""),
    Builtin("exp_below", ("number", "number"), "number", known="last", beyond=A_BOUND),
    Builtin("log_below", ("number", "number"), "number", known="last", beyond=A_BOUND),
    Builtin("sqrt_below", ("number", "number"), "number", known="last", beyond=A_BOUND),
    Builtin("softmax_below", ("list", "list", "number"), "number", known="last", beyond=A_BOUND),
)
BUILTINS = {row.name: row for row in _ROWS}
ABOUT_NETWORKS = frozenset(("states", "layers", "heads"))
TAKEN = frozenset((*BUILTINS, *ABOUT_NETWORKS, "head", "weight"))  # the names that a page can't define


def arguments(name: str) -> int | None:
    """How many arguments it takes; None: one list, or several values."""
    if name in BUILTINS:
        return None if BUILTINS[name].folds else len(BUILTINS[name].takes)
    return {"head": 5, "states": 1, "layers": 1, "heads": 1}.get(name)


def folds(name: str) -> bool:
    return name in BUILTINS and BUILTINS[name].folds
