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
    default=("grid", "b5", "lemma10", "lemma6"),
    refuse="verifier.papers.yun2020.size:refuse",
    library="verifier.papers.yun2020.kernel.compiled:digest",
)
