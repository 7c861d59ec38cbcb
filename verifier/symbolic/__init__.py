"""Proofs for every d, N and n: what has to be shown (declarations), how (hints), the search, and the certificate."""
