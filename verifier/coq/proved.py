"""What is proved in Coq of the papers' own statements, for all sizes: the file under proofs/coq, and the theorem."""

# An empty theorem: of the paper, and not needed there.
STATEMENTS = {
    "Lemma 6": ("Theorems", "lemma6"),
    "Lemma 10": ("Theorems", "lemma10"),
    "Appendix C: the contextual mapping": ("Theorem3", "appendixc2_contextual"),
    "Lemma 9: softmax for hardmax": ("universal/Softmax", "head_max"),
    "Lemma 9: four ReLUs": ("universal/Relu", "window_spec"),
    "Lemma 5: the quantiser": ("universal/Blocks", "quantise_spec"),
    "Lemma 7: the value map": ("universal/Blocks", "value_spec"),
    "Claim 1": ("universal/Equivariance", "run_equivariant"),
    "Theorem 2 over the cube": ("universal/Cube", "cube_approximate"),
    "Theorem 2": ("universal/Everywhere", "theorem2"),
    "Theorem 3": ("universal/Positions", "theorem3"),
    "Theorem 2, all numbers given": ("universal/Sizes", "theorem2_sizes"),
    "Theorem 3, all numbers given": ("universal/Sizes", "theorem3_sizes"),
    "Theorem 2 and its converse": ("universal/Limits", "theorem2_iff"),
    "No encoding, for all balls": ("universal/Limits", "no_encoding_everywhere"),
    "The published network, over large balls": ("universal/Below", "published_fails"),
    "Theorem 2, by Riemann integrals": ("universal/Continuous", "theorem2_riemann"),
    "BigBird: Lemma 3, repaired": ("Sparse", "bigbird_lemma3"),
    "BigBird: Theorem 1": ("universal/SparseTheorem", "bigbird_theorem1"),
    "Lemma 8": ("", ""),
    "Proposition 4": ("", ""),
}


def proved(source: str) -> list[str]:
    """Of a claim's place, such as `Lemma 6, Property 3`: the theorems of its statement, with their files."""
    place = source.partition(",")[0]
    return [
        f"{theorem} in proofs/coq/{file}.v"
        for label, (file, theorem) in STATEMENTS.items()
        if theorem and place in (label, label.partition(":")[0])
    ]
