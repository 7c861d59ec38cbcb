"""The contextual map of Yun et al. (ICLR 2020), and what was built on it: the checker's own reading.

To be read in this order: statements, symbols, model, distinct, claims, orbits, pieces, positional, sizes, alternatives,
distance_zero, own, cost, vertices, shards, paper. Trusted are the mathematics of proofs/FORMAT.md and of its section 4
the Lemmas H, S, P, except where the output says `each attention head run`: there they are seen to hold on every matrix
of G+. Of claims with positional encodings they are always trusted, as the output says.
lemma9.compact and lemma9.distance rest on arguments, whose numbers alone are derived here.
"""
