"""verifier.checker: an independent checker of certificates, to be read in one sitting.

Public: `python -m verifier.checker CERT...` (main, in __main__.py); reading.certificate, check.check with
share.Options; what they raise: reading.Unreadable, comparing.Rejected, comparing.OverLimit.

Trusted: Python and its standard library; the mathematics of proofs/FORMAT.md; of its section 4 the Lemmas H, S, P,
except where the output says `literal heads`: there they have been seen to hold on every matrix. Not trusted, and not
used: the file, and the rest of verifier. From a file only the instance, the variant and the list of claim ids are
taken; all else that stands in it is derived anew and compared.

To be read in this order: statements, reading, comparing, ring, symbols, model, claims, share, shards, check, promises,
limits, __main__. The claims of FORMAT 11 are in paper/ (of them lemma9.compact and lemma9.distance rest on arguments,
whose numbers alone are derived here), and symbolic certificates (proofs/SYMBOLIC.md) have a checker of their own,
symbolic/.
"""
