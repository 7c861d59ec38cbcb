"""How fast, how small and how quick to start, measured side by side: `python benchmarks/run.py`."""
