"""`make mutants`: one place of a room changed at a time, and whether its tests notice (docs/explanation/trust.md)."""
