"""FORMAT-build: the checker of built networks. To be read in this order: dyadic, files, onnx, expression, form,
targets, run, distance, statements, check.
"""
