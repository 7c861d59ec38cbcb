"""BigBird's Lemma 3 (Zaheer et al., NeurIPS 2020): the checker's own reading, from proofs/format/bigbird2020.md.

To be read in this order: numbers, walk, relations, paper. Trusted is the mathematics of that page; of its
section 4, that a level at which no token is changes nothing.
"""
