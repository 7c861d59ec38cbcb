"""SYMBOLIC: the checker of proofs for every d, N and n. In this order: facts.page, polynomial, facts, link, proof."""
