"""HTML, SVG and MathML elements from plain text: whatever is not already an element is escaped."""

from collections.abc import Iterable
from html import escape


class Html(str):
    """Text that goes into the page unescaped."""

    __slots__ = ()


def plain(text: str) -> Html:
    """Plain text, escaped; characters that no page may contain (controls, lone surrogates) become `?`."""
    if isinstance(text, Html):
        return text
    return Html(escape("".join(c if c.isprintable() or c in "\n\u00a0" else "?" for c in text)))


def joined(parts: Iterable[str | None]) -> Html:
    return Html("".join(plain(part) for part in parts if part is not None))


def el(tag: str, *children: str | None, **attributes: str | int | bool | None) -> Html:
    """`<tag attributes>children</tag>`; `class_` is class, `stroke_width` stroke-width; None and False are left out."""
    given = [
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{plain(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    ]
    begin = f"<{tag}{''.join(given)}>"
    return Html(begin if tag == "input" else f"{begin}{joined(children)}</{tag}>")  # an input has no end in HTML


def part(heading: Html, *children: str | None, opened: bool = True, **attributes: str | int | None) -> Html:
    """A part of the page that folds: below its heading all the rest."""
    return el("details", el("summary", heading), *children, open=opened, **attributes)


def table(head: Iterable[str], rows: Iterable[Iterable[str]], caption: str, class_: str | None = None) -> Html:
    """A table that can be scrolled sideways where it is too wide; the first cell of a row is its heading."""
    lines = [
        el("tr", *(el("td", cell) if k else el("th", cell, scope="row") for k, cell in enumerate(row))) for row in rows
    ]
    body = el(
        "table",
        el("caption", caption),
        el("thead", el("tr", *(el("th", cell, scope="col") for cell in head))),
        el("tbody", *lines),
        class_=class_,
    )
    return el("div", body, class_="wide", tabindex=0, role="region", aria_label=caption)
