"""One declaration for each claim: statement, place in the paper, domain, check."""
