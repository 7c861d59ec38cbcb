"""The commands of `verify`, a page for each: words in, words out, no mathematics. What is heavy loads where it is used.

verify.py     the group: its options are those of the default job
default.py    the default job
papers.py, claims.py, check.py, report.py, ...     `verify papers`, `verify claims`, and so on
usage.py      what a command says of itself
options.py    kinds of options
answers.py    exit codes, and messages
"""
