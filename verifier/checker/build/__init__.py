"""FORMAT-build: the checker of built networks. To be read in this order: dyadic, files, onnx, form, even,
target, targets, run, distance, statements, check.
"""
