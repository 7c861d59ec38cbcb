"""Exhaustive runs: every orbit of G+, every column, and what the claims say of them."""
