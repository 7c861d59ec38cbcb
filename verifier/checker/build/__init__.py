"""FORMAT-build: the checker of exported networks. To be read in this order: reading, dyadic, files, onnx, hard,
quantiser, modulus, exported.
"""
