"""What of a page's text looks like a formula and isn't typeset. It shares nothing with verifier/report/sentences.py."""

import re
from html.parser import HTMLParser

TYPESET = "\N{REPLACEMENT CHARACTER}"  # stands for a formula, and for code
ELSEWHERE = {"math", "code", "pre", "script", "style", "title", "textarea", "desc"}
INLINE = {"span", "a", "em", "strong", "b", "i", "sub", "sup", "small"}
VOID = {"br", "hr", "img", "input", "link", "meta", "col", "wbr"}
NAME = re.compile(r"\b[A-Za-z]\w*[A-Za-z]_[A-Za-z]{2,}\w*|\bd_2_squared\b")  # sweep_factor, test_hu.py: a name
LOOKS = re.compile(
    r"[A-Za-z0-9)\]}~'|][_^][A-Za-z0-9({-]|[<>!]=|(?<!\S)[<>=](?!\S)(?<![\d)] =(?= [\d(]))|\b[A-Za-z]~"
    r"|\b[A-Za-z0-9] ?= ?[A-Za-z0-9]|\b(?:delta|lambda|epsilon|eps|phi|Phi|psi|Psi|eta|gamma|sigma)\b"
    r"|\(d, n, N\)|\bG\+|\b[nNBdk] ?[-+] ?1\b"
)


class Text(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.open, self.parts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):  # noqa: ARG002
        if tag not in INLINE and not ELSEWHERE & set(self.open):
            self.parts.append(TYPESET if tag in ELSEWHERE else "\n")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass
        if tag not in INLINE | ELSEWHERE and not ELSEWHERE & set(self.open):
            self.parts.append("\n")

    def handle_data(self, data):
        if not ELSEWHERE & set(self.open):
            self.parts.append(data.replace("\n", " "))


def plain(page):
    """The lines of the page in which something looks like a formula, and what does."""
    lines = dict.fromkeys("".join(Text(page).parts).split("\n"))
    found = {line.strip(): LOOKS.findall(NAME.sub("", line)) for line in lines}
    return {line: signs for line, signs in found.items() if signs and line not in ("=", "<", ">")}
