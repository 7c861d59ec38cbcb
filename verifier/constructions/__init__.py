"""The objects that the paper describes, as literal networks."""
