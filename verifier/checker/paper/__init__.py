"""FORMAT 11: the checker's reading of the rest of the paper, and of those who built on it."""
