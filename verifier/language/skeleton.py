"""A page to begin with: inputs, a layer, a network and a claim that can fail."""

AT_ONCE = 20_000  # cases: so many are run in a moment


class TooMany(ValueError):
    """Even at the least of the sizes there are more inputs."""


def skeleton(sizes: dict[str, int], to_try: dict[str, int], title: str) -> tuple[str, dict[str, int]]:
    """A page of these sizes and their least values, and the sizes to try: those given, and what is run in a moment. The
    first is how long an input may be, the second how many letters there are."""
    (long, shortest), *others = sizes.items()
    many, fewest = others[0] if others else ("", 2)

    def free(name: str) -> str:
        return f"{name}'" if name in sizes else name

    kinds = max(fewest, 3) if many else 2
    if not (longest := next((n for n in range(max(shortest, 4), max(shortest, 1) - 1, -1) if at_once(kinds, n)), 0)):
        raise TooMany("even at the least of them there are too many inputs for a first page")
    to_try = sizes | {long: longest} | ({many: kinds} if many else {}) | to_try
    text = TEMPLATE.format(
        title=title,
        sizes=", ".join(f"{name} >= {value} ({to_try[name]})" for name, value in sizes.items()),
        left="".join(f"# Nothing speaks of {name} yet.\n" for name, _ in others[1:]),
        said=f"every word of at most {long} letters, each of them {f'0, ..., {many}-1' if many else '0 or 1'}",
        long=long,
        letters=f"{{0, ..., {many}-1}}" if many else "{0, 1}",
        **{name: free(name) for name in ("w", "words", "a", "largest", "most", "so_far", "Y", "j", "i", "x")},
    )
    return text, to_try


def at_once(kinds: int, longest: int) -> bool:
    """Whether there are few words of at most so many letters."""
    words = 0
    for length in range(1, longest + 1):
        words += kinds**length
        if words > AT_ONCE:
            return False
    return True


TEMPLATE = """\
language 1
title "{title}"
sizes {sizes}
{left}
# The inputs: {said}.
inputs {w} in {words}: words of 1..{long} letters {a} in {letters}

# A layer says what token {i} becomes. This one has one head: of the tokens j up to {i} it reads the largest letter.
layer {most}:
  {largest} = read {x}[j][1] at max of {x}[j][1] over j <= {i}
  {x}[{i}] <- {x}[{i}] + {largest} * unit(2, 2)
network {so_far}:
  {most}

# A token is a list of numbers: here its letter, and room for what the layer finds.
{Y} = {so_far}([[{a}, 0] for {a} in {w}])

# What is claimed, in words and as a formula. Write j < {i} in the layer, and a counterexample is found.
claim mine.largest, own, "-", on {words}:
  "Each token holds the largest letter up to its own place."
  for {i} in 1..len({w}): {Y}[{i}][2] = max({w}[{j}] for {j} in 1..{i})
"""
