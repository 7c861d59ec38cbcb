"""Every claim that a certificate may list, in FORMAT's order: statements.txt, the checker's own copy, has a line
`id: statement` for each."""

from __future__ import annotations

from pathlib import Path

_LINES = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8").splitlines()
STATEMENTS: dict[str, str] = dict(line.split(": ", 1) for line in _LINES)
IDS = tuple(STATEMENTS)
_EXCLUDED = "lemma8.radius lemma9.layerwise theorem2.heads s6.sepconv slides.one-dimensional-all"
EXCLUDED = frozenset(_EXCLUDED.split())  # FORMAT 11
OF_THE_PAPER = IDS[IDS.index("lemma5.quantizes") :]  # FORMAT 11's: never of a variant
