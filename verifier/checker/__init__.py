"""verifier.checker: an independent checker of certificates.

Public: `python -m verifier.checker CERT...` (main, in __main__.py), with --json a line of JSON for each answer;
core.reading.certificate, a paper's check with core.share.Options; what they raise: core.reading.Unreadable,
core.comparing.Rejected, core.comparing.OverLimit.

Trusted: Python and its standard library; the mathematics of proofs/FORMAT.md and of the paper's own page, as the
paper's folder says. Not trusted, and not used: the file, and the rest of verifier. From a file only the name of the
paper, the instance, the variant and the list of claim ids are taken; all else is derived anew and compared.

To be read in this order: core/ (reading, comparing, ledger, share, paper, frame, limits, ring, parallel), papers/ and
the folder of the paper that is concerned, promises, words, __main__. Symbolic certificates (proofs/SYMBOLIC.md) have a
checker of their own, symbolic/, and so have built networks, build/, and pages, page/.
"""
