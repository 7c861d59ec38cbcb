"""So: slides on Yun et al. (April 2020)."""

from verifier.core.paper import Paper

PAPER = Paper(
    name="slides2020",
    title="So, slides on Yun et al. (April 2020)",
    about="their sentinel, their sketch for d = 1, their closed interval",
    modules=("verifier.papers.slides2020.claims",),
    families={"slides": "The slides"},
    builds_on="yun2020",
    after="s6",
)
