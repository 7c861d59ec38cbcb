"""Kajitsuka and Sato: Are Transformers with one layer self-attention using low-rank weight matrices universal
approximators? (ICLR 2024)"""

from verifier.core.paper import Paper

PAPER = Paper(
    name="kajitsuka2024",
    title="Kajitsuka and Sato, Are Transformers with one layer self-attention [...] approximators? (ICLR 2024)",
    about="Lemma 1, the Boltzmann operator tells sequences apart; one softmax layer of rank 1, by rigorous enclosures",
    modules=("verifier.papers.kajitsuka2024.claims",),
    construct="verifier.papers.kajitsuka2024.construction:OneLayer",
    refuse="verifier.papers.kajitsuka2024.construction:refuse_if_too_large",
)
