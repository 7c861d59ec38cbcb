"""How a notebook shows a network or a result: a title and a small HTML table, at most a screen of it."""

from collections.abc import Iterable, Sequence
from html import escape

MOST = 40  # rows that are shown


def _style(cell: str) -> str:
    colour = {"refuted": "; color: #b3261e; font-weight: bold", "fails": "; color: #8a5a00"}.get(cell, "")
    return f"text-align: left; padding: .2em .8em .2em 0{colour}"


def table_html(title: str, head: Iterable[str], rows: Sequence[Sequence[str]], count: int | None = None) -> str:
    """The table. `count` is the number of all rows, where `rows` are only the first of them."""

    def line(tag: str, cells: Iterable[str]) -> str:
        made = (f'<{tag} style="{_style(cell)}">{escape(cell)}</{tag}>' for cell in cells)
        return f"<tr>{''.join(made)}</tr>"

    left = (len(rows) if count is None else count) - MOST
    more = f"<p>and {left:,} row{'s' * (left > 1)} more</p>" if left > 0 else ""
    body = "".join(line("td", row) for row in rows[:MOST])
    return (
        f"<div><p>{escape(title)}</p><table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>{more}</div>"
    )
