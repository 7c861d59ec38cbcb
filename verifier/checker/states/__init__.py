"""Claims about words, derived by states: letters.py says how, and what is trusted."""
