"""A construction as a Transformer in a file."""
