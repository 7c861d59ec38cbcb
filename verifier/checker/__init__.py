"""verifier.checker: an independent checker of certificates.

Public: `python -m verifier.checker CERT...` (main, in __main__.py), with --json a line of JSON for each answer;
page.check.check, in full, and page.check.sample, in part; what they raise: core.reading.Unreadable,
core.comparing.Rejected, core.comparing.OverLimit.

Trusted: Python and its standard library, and verifier/language/LANGUAGE.md, which says what a page means. Not trusted,
and not used: the file, and the rest of verifier. From a file only its page, the sizes, what was exchanged and the
list of claim ids are taken; all else is derived anew, and the bytes must be equal.

core/ reads files strictly, compares values and sets limits. A certificate of a page is checked in page/, which knows no
paper; a symbolic proof (proofs/SYMBOLIC.md) in symbolic/, and a network (proofs/FORMAT-build.md) in build/. promises is
what a reader asks for; __main__ is the command.
"""
