"""Pages, run: every case, every relation, in exact numbers."""
