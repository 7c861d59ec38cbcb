"""The recursion of Lemma 6 in whole numbers: the same counts as the literal network's, much faster."""
