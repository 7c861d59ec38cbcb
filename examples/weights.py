"""Does u = (1, N+1) serve in place of the paper's u = (1, N)?

Its ids are distinct too, but no longer 0, delta, ..., (B-1) delta without a gap. So the sweep visits the ids that there
are, and the interval is whichever holds the values (`fitted`).
"""

from verifier import Instance, contextual_map, fitted, verify


def run(i, u, ids, **numbers):
    return verify(fitted(contextual_map(i, u=u, levels=ids, **numbers)), "lemma6.1,lemma6.2,lemma6.3,lemma6.4")


for i in [Instance(2, 2, 2), Instance(2, 2, 3)]:
    u = (1, i.N + 1)
    grid = contextual_map(i, u=u).grid
    ids = sorted(grid.id(column) for column in grid.inner)
    base = i.N * max(ids) + 1  # steps of delta from 0 to the largest id, both counted: B for the paper's u
    print(f"{i}, u = (1, {u[1]}), ids up to {max(ids)}")
    print(f"  factor B = {i.B}:", run(i, u, ids)["lemma6.2"].counterexample)
    repaired = run(i, u, ids, sweep_factor=base, global_factor=base ** (i.n + 1), sentinel=-(base**i.n))
    print(f"  factor {base}: {repaired.verdict}, in {repaired.construction.interval}")
print()
print("No: contexts collide. B stands in the construction as the base whose digits the ids are, and not as a number of")
print("columns: where the ids reach further, so must the base. With N max id + 1 in place of B it serves again, here.")
