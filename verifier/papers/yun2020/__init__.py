"""Yun et al.: Are Transformers universal approximators of sequence-to-sequence functions? (ICLR 2020)"""

from verifier.core.paper import Paper

_CLAIMS = (
    "equivariance grid contextual category1 category23 lemma6 lemma5 lemma7 prop4 lemma8 lemma9 theorem2 positional"
    " section6 distance_zero"
)

PAPER = Paper(
    name="yun2020",
    title="Yun et al., Are Transformers universal approximators of sequence-to-sequence functions? (ICLR 2020)",
    about="Theorems 2 and 3, and what their proofs construct; by default the contextual map of Lemma 6",
    modules=tuple(f"verifier.papers.yun2020.claims.{name}" for name in _CLAIMS.split()),
    construct="verifier.papers.yun2020.contextual_map:at",
    families={
        "claim1": "Claim 1: layers commute with permutations",
        "grid": "The grid of inputs",
        "b5": "App. B.5, step by step",
        "lemma10": "Lemma 10",
        "lemma6": "Lemma 6",
        "lemma5": "Lemma 5: the quantiser",
        "lemma7": "Lemma 7: the value map",
        "prop4": "Proposition 4: the whole network",
        "lemma8": "Lemma 8: cubes",
        "lemma9": "Lemma 9: ReLU and softmax",
        "theorem2": "Theorem 2: the size",
        "c": "Appendix C: positional encodings",
        "theorem3": "Theorem 3: the size with positional encodings",
        "s6": "Section 6: other layers",
        "exact": "Proposition 4 with distance 0",
    },
    default=("grid", "b5", "lemma10", "lemma6"),
    refuse="verifier.papers.yun2020.size:refuse",
    library="verifier.papers.yun2020.kernel.compiled:digest",
)
