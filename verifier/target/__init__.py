"""From a function of matrices, its target, to the page of a Transformer that has its values on a grid."""
