"""The commands of `verify`, a module for each: words in, words out, no mathematics. Heavy imports are made where they
are used.

verify.py     the group: its options are those of the default job
default.py    the default job
papers.py, claims.py, check.py, report.py, ...     `verify papers`, `verify claims`, and so on
usage.py      how a command describes itself
options.py    kinds of options
answers.py    exit codes, and messages
"""
