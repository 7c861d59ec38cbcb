"""Networks run in whole numbers: exactly the results of the literal layers, much faster."""
