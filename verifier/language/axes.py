"""A page's model on the axes of the field's survey (Strobl et al., TACL 2024): what its head says of them, a comment
`# Model. attention: words. mask: words. ...` that may go on, up to `Read:`; and what its layers show by themselves.
"""

import re

from verifier.language.form import form
from verifier.language.names import has_head
from verifier.language.tree import Page, Read
from verifier.language.words import page_of
from verifier.language.write import expression

AXES = ("attention", "ties", "mask", "positions", "norm", "precision", "acceptance")
_KEY = re.compile(rf"(?:^|(?<=[.;] ))({'|'.join(AXES)}): ")


def model(page: Page) -> dict[str, str]:
    """Of each axis what the head says; of attention, ties and mask, where it says nothing, what the layers show."""
    reads = [line for layer in page.layers.values() for line in layer.lines if isinstance(line, Read)]
    plain = ["none"] if any(has_head(line) for layer in page.layers.values() for line in layer.lines) else []
    forms = {f for f in (form(page, layer) for layer in page.layers.values()) if f.heads}
    shown = {
        "attention": [f"{f.name} with {f.heads} head{'s' * (f.heads > 1)}" for f in sorted(forms)],
        "ties": [*(read.tie for read in reads), *("average" for _ in plain)],
        "mask": ["none" if read.mask is None else expression(read.mask) for read in reads] + plain,
    }
    described = {axis: ", ".join(sorted(set(words))) for axis, words in shown.items()} | said(page.text)
    return {axis: described[axis] for axis in AXES if described.get(axis)}


def said(text: str) -> dict[str, str]:
    head = re.search(r"^# Model\. (.*(?:\n# .*)*)", page_of(text), re.MULTILINE)
    _, *parts = _KEY.split(head[1].replace("\n# ", " ").partition("Read: ")[0]) if head else ("",)
    return {axis: words.strip().rstrip(".;") for axis, words in zip(parts[::2], parts[1::2], strict=True)}
