"""Lemma 6 in C: the claims of the page yun2020 that it knows, on many cases, as the quick reading counts them.

kernel.c       runs a stretch of cases
library.py     opens a library that is what was built
compiled.py    its library, and what it counts as plain numbers
claims.py      which relations of which claims these are, and the text for which they are that

quick/accelerate.py takes over with it where there are many cases.
"""
