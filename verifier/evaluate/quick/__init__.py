"""The quick reading of pages: arrays of many cases, in whole numbers behind exact bounds."""

from verifier.evaluate.quick.memory import load_numpy

load_numpy()  # before any module here imports it
