"""SYMBOLIC: the checker of proofs for every d, N and n. To be read in this order: polynomial, table, link, proof."""
