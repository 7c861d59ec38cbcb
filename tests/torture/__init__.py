"""Everything that can go wrong, done on purpose: `make torture`, or `python -m torture` in tests/.

A module for each kind of harm. Each gives cases: what is done, to the command as a user has it, and how that may end.
A case is drawn by its kind, its number and a seed alone, so that one that ended wrong can be run again by itself.
"""
