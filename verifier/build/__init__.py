"""The networks that the theorems are about, as weights."""
