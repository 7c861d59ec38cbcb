"""What the slides on the paper (So, April 2020) change and sketch.

Their sentinel is -delta^(nd), where the paper has -delta^-(nd). Their sketch for d = 1, in whole numbers k_j = N L_j:

    for k = 0, ..., N-1:  add N r, r = max - min (at that moment), to the numbers that equal k      -> O
    then:                 add N^(n+1) max_j O_j to each

If the k_j are distinct, the shift of k_j leaves O_j = k_j + N (O_{j-1} - k_j) the maximum (O_0 = k_n being the
maximum at the beginning), so that k_j = O_j mod N and O_{j-1} = (O_j - k_j) / N + k_j.
"""

from collections.abc import Sequence

from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map
from verifier.papers.yun2020.decoding import readings
from verifier.papers.yun2020.instance import Instance


def with_slides_sentinel(instance: Instance) -> ContextualMap:
    """The construction of Lemma 6 with the sentinel -delta^(nd)."""
    return contextual_map(instance, sentinel=Q(-1, instance.N ** (instance.n * instance.d)))


def sketch(tokens: Sequence[int], N: int) -> tuple[int, ...]:
    """O, from k_1, ..., k_n."""
    O = tuple(tokens)
    for level in range(N):
        r = max(O) - min(O)
        O = tuple(k + N * r if k == level else k for k in O)
    return O


def decode(m: int, n: int, N: int) -> tuple[int, ...]:
    """k_1 < ... < k_n from m = max_j O_j."""
    return tuple(reversed([reading.k for reading in readings(m, (0,) * n, N)]))


def broadcast(O: Sequence[int], N: int) -> tuple[int, ...]:
    """Every O_j plus N^(n+1) max O."""
    return tuple(o + N ** (len(O) + 1) * max(O) for o in O)
