"""Pages, run: what each relation says at each case. definition.py is the meaning; what is
quicker is compared with it."""
