"""Networks run in whole numbers: what the literal layers make of a matrix, the same to the last digit, much faster."""
