"""BigBird's Lemma 3 (Zaheer et al., NeurIPS 2020): the checker's own reading, from proofs/bigbird2020/FORMAT.md.

To be read in this order: numbers, walk, relations, paper. Trusted is the mathematics of that page, of its section 2
the paragraph on levels at which no token is.
"""
