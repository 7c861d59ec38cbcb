"""Claims about words of every length: the search for words that show them (proofs/FORMAT-lengths.md)."""
