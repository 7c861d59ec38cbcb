"""FORMAT-build: the checker of built networks. To be read in this order: dyadic, files, expression, form, run, check."""
