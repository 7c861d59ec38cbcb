"""The checker's own reading of pages (verifier/language/LANGUAGE.md) and of their certificates (proofs/FORMAT.md).

To be read in this order: words (characters to words), tree (words to a tree), known (what may stand where), form (what
a layer is), numbers (exact numbers of many cases), graph and evaluate (a page at one shape of its cases), layers
(attention, networks, families by cells), recurrences, cases, ledger, zones (many cases at once), derive (the whole
certificate), check (a file).
trace tells one case to a reader; no verdict rests on it.
It shares no code with the producer, knows no paper, and takes from a file the page, the sizes, what was exchanged and
the claims' ids; everything else is derived.
"""
