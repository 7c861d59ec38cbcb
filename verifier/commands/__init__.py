"""The commands of `verify`, a module for each: words in, words out, no mathematics. Heavy imports are made where they
are used. click parses every call; help, messages, completion, the man page and the site's reference are made from what
it knows.

verify.py     the group, which by itself runs a page
page.py       the page that a call is about, whose sizes are options
run.py        a page, run at one choice of sizes, or at several
claims.py, check.py, report.py, ...     `verify claims`, `verify check`, and so on
usage.py      how a command describes itself
options.py    kinds of options
answers.py    exit codes, and messages

What a command lists goes to a report (verifier/report/formats), which writes it as --format says.
"""
