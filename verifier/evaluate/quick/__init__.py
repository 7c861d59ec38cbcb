"""The quick reading of pages: arrays of many cases, in whole numbers behind exact bounds."""
