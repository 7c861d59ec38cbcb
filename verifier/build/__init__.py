"""The network of a page as weights in files, with what floats make of them."""
