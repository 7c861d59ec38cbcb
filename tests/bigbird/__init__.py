"""BigBird's layers once more, for what the findings say beyond the page: other graphs, one last layer, all sizes."""
