"""Plain tables, and numbers as a person reads them."""

from collections.abc import Sequence

UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def rate(per_second: float | None) -> str:
    """2.35e8 as 235 M, with three digits."""
    if per_second is None:
        return "-"
    for size, unit in UNITS:
        if per_second >= 0.9995 * size:
            return f"{_three(per_second / size)} {unit}"
    return _three(per_second)


def _three(value: float) -> str:
    return f"{value:.{max(0, 3 - len(str(int(value))))}f}" if value < 999.5 else f"{value:.0f}"


def seconds(taken: float | None) -> str:
    return "-" if taken is None else f"{taken:.2f} s"


def megabytes(peak: float | None) -> str:
    return "-" if peak is None else f"{peak:.0f} MB"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in (head, *rows):
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("   ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    return "\n".join([title, "", lines[0], "-" * len(lines[0]), *lines[1:]])
