"""Kajitsuka and Sato, Lemma 1: the checker's own reading, in fixed-point whole numbers rounded outward.

To be read in this order: numbers, paper. Nothing is trusted but the series of e^(-1/2) and of the logarithm.
"""
