"""The inequalities of the contextual-map family, by name: claims make relations of them, kernels index their counts by
them."""

from verifier.core.claim import Edge
from verifier.core.exact import Q
from verifier.papers.yun2020.interval import Interval, inside, outside

_ANY = Interval(Q(0), Q(1))  # closed below and open above, as the paper's interval

FIRST_SHIFT = Edge("b5.first-shift", "l~_j", ">", "l_n")
ORDER = Edge("b5.order", "l~_j", ">", "the l~ before it")
LOWER = Edge("lemma10.lower", "l~_n", ">=", "lemma10.lower")
UPPER = Edge("lemma10.upper", "l~_n", "<=", "lemma10.upper")
INTERVAL_LOW = Edge("b5.interval", "q_j", ">=", "delta^-((n+1)d) l~_n")
INTERVAL_HIGH = Edge("b5.interval", "q_j", "<", "delta^-((n+1)d) (l~_n + delta)")
DISTINCT = Edge("lemma6.1", "distance of two entries of q(L)", ">", "0")
INSIDE_LOW, INSIDE_HIGH = (Edge.of("lemma6.3", relation) for relation in inside("q_j", Q(0), _ANY))
CAT2_SWEPT = Edge("b5.cat2-bound", "max_j l~_j", "<=", "lemma10.lower - delta")
CAT2_FINAL = Edge("b5.cat2-bound", "max_j q_j", "<", "t_l")
OUTSIDE_LOW, OUTSIDE_HIGH = (Edge.of("lemma6.4", outside("q_j", q, _ANY)) for q in (Q(-1), Q(2)))
CAT3_MINIMUM = Edge("b5.cat3-minimum", "l_j", "<", "0")
CAT3_NEGATIVE = Edge("b5.cat3-negative", "max_j q_j", "<", "0")
CAT3_FIRST_SHIFT = Edge("b5.cat3-shift", "the first shift", ">=", "delta^-((n+1)d) delta")
CAT3_SHIFTED = Edge("b5.cat3-shift", "l~_j", ">=", "delta^-((n+1)d) delta")
CAT3_BELOW = Edge("b5.cat3-final", "q_j", "<", "0")
CAT3_BEYOND = Edge("b5.cat3-final", "q_j", ">=", "delta^-((2n+2)d) delta")
