"""Hu et al., On statistical rates and provably efficient criteria of latent Diffusion Transformers: App. E."""

from verifier.core.paper import Paper

PAPER = Paper(
    name="hu2024",
    title="Hu et al., On statistical rates [...] of latent Diffusion Transformers (NeurIPS 2024, arXiv 2407.01079)",
    about="App. E: the positional construction of Yun et al. once more, with a sentinel and a reject interval",
    modules=("verifier.papers.hu2024.claims",),
    families={"hu": "Hu et al.: Appendix C once more"},
    builds_on="yun2020",
    after="theorem3",
)
