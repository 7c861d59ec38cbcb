"""BigBird's Lemma 3: the mathematics of the text, of its readings, and of the repair; by two readings and a slow truth."""
