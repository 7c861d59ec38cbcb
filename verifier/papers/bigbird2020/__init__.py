"""Zaheer et al.: Big Bird: Transformers for longer sequences; App. A.2, Lemmas 2 and 3."""

from verifier.core.paper import Paper

PAPER = Paper(
    name="bigbird2020",
    title="Zaheer et al., Big Bird: Transformers for longer sequences (NeurIPS 2020)",
    about="Lemma 3 of App. A.2: a contextual mapping by sparse attention over a star",
    modules=("verifier.papers.bigbird2020.claims",),
    families={
        "bigbird": "Lemma 3 and its proof, as printed",
        "recursion": "The proof's recursion, as if every shift did what is said of it",
        "readings": "The 32 readings of the text",
        "repair": "The repair",
    },
    construct="verifier.papers.bigbird2020.construction:at",
)
