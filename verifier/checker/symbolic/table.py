"""SYMBOLIC 3 to 5: the definitions, the facts to be shown, and the facts that are enough for each claim.

A definition: `name | range | atom = polynomial`. A fact: `name | range | what is given |- what holds | scheme`, for all
whole numbers in the range. The scheme `j from i` is induction on j from j = i; with none the fact is shown directly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..core.ring import Poly
from .polynomial import Bound, formula, index, text

# Non-negative whole numbers, whatever stands in brackets.
SLACK = frozenset(("z", "w", "x", "W", "X", "a", "g", "s", "A", "G", "H", "o", "u", "y0", "b", "bs", "BB", "BS"))
# All that belongs to one context or one column, and the same of a second one: a fact, or a definition, with ' speaks of
# the second. What is in neither (N, B, p, P, y, ...) is of the instance, or a letter of one fact.
OTHER = {"a": "A", "g": "G", "s": "H", "k": "K", "t": "T", "C": "CC", "r": "R"}
OTHER |= {"w": "W", "x": "X", "v": "V", "c": "cc"}
OTHER |= {"id": "ID", "l": "LL", "lt": "LT", "la": "LA", "b": "BB", "bs": "BS"}
# Symbols of the instance and the context: a fact used in another speaks of the same ones.
FIXED = ("d", "n", "m", "f")
# Indices that run over rows, of which there are d: never written out, whatever n is.
ROWS = ("d", "e", "f")
INSTANCE = "1<=d, 2<=n"

DEFINITIONS = """
N    |                    | N = z + 2
p0   |                    | p[0] = 1
p    | 1<=e<=d            | p[e] = N*p[e-1]
B    |                    | B = p[d]
P0   |                    | P[0] = 1
P    | 1<=j<=n+1          | P[j] = B*P[j-1]
row  | 1<=e<=d            | N = w[e] + 1 + x[e]
v0   |                    | v[0] = 0
v    | 1<=e<=d            | v[e] = v[e-1] + p[e-1]*w[e]
c0   | 1<=f<=d            | c[f] = v[f-1] - p[f-1]*N*P[n]
y    |                    | y = B - N - N*P[n] - y0
S0   |                    | S[0] = 0
S    | 1<=i<=n            | S[i] = S[i-1] + M
k0   | 1<=m<=n            | k[1] = a
k    | 2<=j<=m<=n         | k[j] = k[j-1] + 1 + g[j-1]
kB   | 1<=m<=n            | B = k[m] + 1 + s
t0   | 1<=m<=n            | t[0] = k[m]
t    | 1<=j<=m<=n         | t[j] = k[j] + B*(t[j-1] - k[j])
C1   | 1<=m<=n            | C[1] = 0
C    | 2<=j<=m<=n         | C[j] = B*C[j-1] + B*(k[j-1] - k[j])
r0   | 1<=m<=n            | r[0] = k[m]
r    | 1<=j<=m<=n         | r[j] = k[j] + B*(r[j-1] - y)
low0 | 1<=m<=n            | low[0] = m - 1
low  | 1<=j<=m<=n         | low[j] = j - 1 + B*(low[j-1] - j + 1)
top0 | 1<=m<=n            | top[0] = B - 1
top  | 1<=j<=m-1, m<=n    | top[j] = j - 1 + B*(top[j-1] - j + 1)
topm | 2<=m<=n            | top[m] = B - 1 + B*(top[m-1] - B + 1)
U0   |                    | U[0] = 0
U    | 1<=e<=d            | U[e] = U[e-1] + p[e]
E    |                    | E = U[d]
id0  |                    | id[0] = 0
id   | 1<=e<=d            | id[e] = id[e-1] + p[e-1]*(J*N + w[e])
b    | 1<=j<=n            | b[j] = B - 1 - bs[j]
l    | 1<=j<=n            | l[j] = j*E - E + b[j]
lt0  |                    | lt[0] = l[n]
lt   | 1<=j<=n            | lt[j] = l[j] + B*(lt[j-1] - l[j])
la   |                    | la = lt[1] + B*(lt[2] - lt[1])
"""

FACTS = """
p.one            | 0<=e<=d                | p[e] - 1 >= 0                                    | e from 0
B.two            |                        | B - 2 >= 0                                       |
P.one            | 0<=j<=n+1              | P[j] - 1 >= 0                                    | j from 0
P.grow           | 0<=i<=j<=n+1           | P[j] - P[i] >= 0                                 | j from i

row.low          | 0<=e<=d                | v[e] >= 0                                        | e from 0
row.high         | 0<=e<=d                | p[e] - 1 - v[e] >= 0                             | e from 0
row.id           |                        | B - 1 - v[d] >= 0                                |
row.differ       | 1<=e<=d                | w[e] = W[e] + 1 + o |- v[e] - V[e] - 1 >= 0      |
row.same         | 1<=e<=d                | w[e] = W[e] |- v[e] - V[e] - v[e-1] + V[e-1] = 0 |
sentinel.bound   | 1<=f<=e<=d             | p[e] - N - N*P[n] - c[e] >= 0                    | e from f
sentinel.id      | 1<=f<=d                | B - N - N*P[n] - c[d] >= 0                       |
sentinel.far     |                        | N*P[n] + N - B - 1 >= 0                          |

head.above       |                        | M = I + o, D = 1 + u |- M*D - I*D >= 0           |
head.above.tie   |                        | M = I + 1 + o, D = 1 + u |- M*D - I*D - 1 >= 0   |
head.below       |                        | I = Q + o, D = -1 - u |- Q*D - I*D >= 0          |
head.below.tie   |                        | I = Q + 1 + o, D = -1 - u |- Q*D - I*D - 1 >= 0  |
head.mean        | 0<=i<=n                | S[i] - i*M = 0                                   | i from 0
layer.at.lower   |                        | I = L |- 2*I - (2*L - 1) - 1 >= 0                |
layer.at.upper   |                        | I = L |- (2*L + 1) - 2*I - 1 >= 0                |
layer.above.lower |                       | I = L + 1 + o |- 2*I - (2*L - 1) - 1 >= 0        |
layer.above.upper |                       | I = L + 1 + o |- 2*I - (2*L + 1) - 1 >= 0        |
layer.below.lower |                       | L = I + 1 + o |- (2*L - 1) - 2*I - 1 >= 0        |
layer.below.upper |                       | L = I + 1 + o |- (2*L + 1) - 2*I - 1 >= 0        |

k.order          | 1<=i<=j<=m, m<=n       | k[j] - k[i] - j + i >= 0                         | j from i
k.low            | 1<=i<=m, m<=n          | k[i] - i + 1 >= 0                                |
k.high           | 1<=i<=m, m<=n          | B - 1 - m + i - k[i] >= 0                        |
k.last           | 1<=i<=m, m<=n          | B - 1 - k[i] >= 0                                |
k.later          | 1<=j<=i<=m, m<=n       | k[j] = L + 1 + o |- k[i] - L - 1 >= 0            |

t.first          | 2<=m<=n                | t[1] - k[1] - B*(k[m] - k[1]) = 0                |
t.lifted         | 2<=m<=n                | t[1] - k[m] - 1 >= 0                             |
t.beyond         | 1<=j<=m, 2<=m<=n       | t[j] - k[m] - 1 >= 0                             | j from 1
t.grow           | 1<=j<=m-1, m<=n        | t[j+1] - t[j] - 1 >= 0                           |
t.order          | 1<=i<=j<=m, 2<=m<=n    | t[j] - t[i] - j + i >= 0                         | j from i
sweep.passed     | 1<=j<=m, 2<=m<=n       | t[j] - B >= 0                                    |
sweep.waiting    | 1<=j, j+1<=i<=m, m<=n  | k[i] - k[j] - 1 >= 0                             |
sweep.max.first  | 1<=i<=m, 2<=m<=n       | t[0] - k[i] >= 0                                 |
sweep.max.is     | 2<=m<=n                | t[0] - k[m] = 0                                  |
sweep.max.shifted | 1<=i<=j<=m, 2<=m<=n   | t[j] - t[i] >= 0                                 |
sweep.max.waiting | 1<=j, j+1<=i<=m, m<=n | t[j] - k[i] >= 0                                 |
sweep.min.waiting | 1<=j<=i<=m, m<=n      | k[i] - k[j] >= 0                                 |
sweep.shift      | 1<=j<=m, 2<=m<=n       | k[j] + B*(t[j-1] - k[j]) - t[j] = 0              |
sweep.moves      | 1<=j<=m, 2<=m<=n       | t[j] - k[j] - 1 >= 0                             |
sweep.alone      | 1<=m<=1                | k[1] + B*(k[1] - k[1]) - t[1] = 0                |
sweep.alone.is   | 1<=m<=1                | t[1] - k[1] = 0                                  |
global.above     | 1<=j<=m, 2<=m<=n       | t[j] - 1 >= 0                                    |
global.alone     | 1<=m<=1                | t[1] >= 0                                        |
global.zero      | 0<=i<=n                | M = 0 |- S[i] = 0                                |

closed.form      | 1<=j<=m, m<=n          | t[j] - k[j] - C[j] - P[j]*(k[m] - k[1]) = 0      | j from 1
t.lower          | 1<=j<=m, 2<=m<=n       | t[j] - k[m] - P[j-1]*(B - 1) >= 0                | j from 1
t.upper          | 1<=j<=m-1, m<=n        | (P[j] - 1)*(B - 1) - t[j] + k[m] >= 0            | j from 1
t.most           | 2<=m<=n                | P[m]*(B - 1) - (B - 1)**2 - t[m] >= 0            |
lower            | n<=m<=n                | t[n] - P[n-1]*(B - 1) >= 0                       |
upper            | n<=m<=n                | P[n]*(B - 1) - (B - 1)**2 - t[n] >= 0            |
lower.step       | 0<=j<=m, 2<=m<=n       | (B - 1)*(t[j] - k[m] - j + m) - (m*(B - 1) - B)*P[j] - B >= 0 | j from 0
lower.sharp      | n<=m<=n                | (B - 1)*(t[n] - n + 1) - (n*(B - 1) - B)*P[n] - B >= 0 |
lower.attained   | 0<=j<=m, 2<=m<=n       | (B - 1)*(low[j] - j + 1) - (m*(B - 1) - B)*P[j] - B = 0 | j from 0
upper.step       | 0<=j<=m-1, m<=n | (B*B - 2*B)*P[j] + (j - B)*(B - 1) + B - (B - 1)*(t[j] - k[m]) >= 0 | j from 0
upper.sharp      | n<=m<=n | (B - 1)**2 + (B - 2)*B*P[n] + B*(n - 1 - B)*(B - 1) + B*B - (B - 1)*t[n] >= 0 |
upper.reached    | 0<=j<=m-1, m<=n | (B*B - 2*B)*P[j] + (j - B)*(B - 1) + B - (B - 1)*(top[j] - B + 1) = 0 | j from 0
upper.attained   | n<=m<=n | (B - 1)**2 + (B - 2)*B*P[n] + B*(n - 1 - B)*(B - 1) + B*B - (B - 1)*top[n] = 0 |
digit.differ     | 1<=j<=m, m<=n | T[j-1] = t[j-1] - k[j] + K[j] + 1 + o |- T[j] - t[j] - 1 >= 0  |
digit.same       | 1<=j<=m, m<=n | T[j-1] = t[j-1] - k[j] + K[j] |- T[j] - t[j] - K[j] + k[j] = 0 |

small            | n<=m<=n                | P[n+1] - 1 - t[n] >= 0                           |
interval.start   | 1<=j<=n, n<=m<=n       | t[j] + P[n+1]*t[n] - P[n+1]*t[n] >= 0            |
interval.end     | 1<=j<=n, n<=m<=n       | P[n+1]*(t[n] + 1) - t[j] - P[n+1]*t[n] - 1 >= 0  |
interval.next    | n<=m<=n                | T[n] = t[n] + 1 + o |- P[n+1]*T[n] - P[n+1]*(t[n] + 1) >= 0 |
within           | 1<=j<=n-1, n<=m<=n     | t[j+1] + P[n+1]*t[n] - t[j] - P[n+1]*t[n] - 1 >= 0 |
across           | 1<=i<=n, 1<=j<=n, n<=m<=n | T[n] = t[n] + 1 + o |- T[i] + P[n+1]*T[n] - t[j] - P[n+1]*t[n] - 1 >= 0 |
inside.low       | 1<=j<=n, n<=m<=n       | t[j] + P[n+1]*t[n] - P[n]*P[n]*(B - 1) >= 0      |
inside.high      | 1<=j<=n, n<=m<=n       | P[n]*P[n+1]*(B - 1) - t[j] - P[n+1]*t[n] - 1 >= 0 |

cat2.bound       | 2<=m<=n-1              | P[n-1]*(B - 1) - 1 - t[m] >= 0                   |
cat2.bound.one   | 1<=m<=1                | P[n-1]*(B - 1) - 1 - t[1] >= 0                   |
cat2.value       | 1<=j<=m, 2<=m<=n-1     | P[n]*P[n]*(B - 1) - 1 - t[j] - P[n+1]*t[m] >= 0  |
cat2.value.one   | 1<=m<=1                | P[n]*P[n]*(B - 1) - 1 - t[1] - P[n+1]*t[1] >= 0  |

cat3.negative    |                        | -1 - y >= 0                                      |
cat3.idle        |                        | I = B - N - N*P[n] - o, L = u |- L - I - 1 >= 0  |
cat3.below       |                        | I = B - N - N*P[n] - o |- -1 - I >= 0            |
cat3.first       | 1<=m<=n                | r[1] - k[1] - P[n+1] >= 0                        |
r.large          | 1<=j<=m, m<=n          | r[j] - P[n+1] >= 0                               | j from 1
r.grow           | 1<=j<=m-1, m<=n        | r[j+1] - r[j] - 1 >= 0                           |
r.order          | 1<=i<=j<=m, m<=n       | r[j] - r[i] >= 0                                 | j from i
cat3.above       | 1<=j<=m, m<=n          | r[j] - 1 >= 0                                    |
cat3.passed      | 1<=j<=m, m<=n          | r[j] - B >= 0                                    |
cat3.max.first   | 1<=i<=m, m<=n          | r[0] - k[i] >= 0                                 |
cat3.max.is      | 1<=m<=n                | r[0] - k[m] = 0                                  |
cat3.max.waiting | 1<=j, j+1<=i<=m, m<=n  | r[j] - k[i] >= 0                                 |
cat3.min.waiting | 1<=i<=m, m<=n          | k[i] - y >= 0                                    |
cat3.min.shifted | 1<=i<=m, m<=n          | r[i] - y >= 0                                    |
cat3.shift       | 1<=j<=m, m<=n          | k[j] + B*(r[j-1] - y) - r[j] = 0                 |
cat3.max.before  | 1<=m<=n                | I = B - N - N*P[n] - o |- r[0] - I >= 0          |
cat3.max.negative | 1<=j<=m, m<=n         | I = B - N - N*P[n] - o |- r[j] - I >= 0          |
cat3.low         |                        | I = B - N - N*P[n] - o |- -1 - I - P[n+1]*y >= 0 |
cat3.high        | 1<=j<=m, m<=n          | r[j] + P[n+1]*r[m] - P[n+1]*P[n+1] >= 0          |
cat3.beyond      |                        | P[n+1]*P[n+1] - P[n]*P[n+1]*(B - 1) - 1 >= 0     |
cat3.under       |                        | P[n]*P[n]*(B - 1) >= 0                           |
layers           |                        | L = B - 1 |- (L - 0 + 1) + 1 - (B + 1) = 0       |

U.wide           | 1<=e<=d                | U[e] - p[e] >= 0                                 | e from 1
U.most           | 0<=e<=d                | 2*p[e] - 2 - U[e] >= 0                           | e from 0
E.wide           |                        | E - B >= 0                                       |
E.wider          | 2<=d                   | E - B - 2 >= 0                                   |
E.most           |                        | 2*B - 2 - E >= 0                                 |
id.rows          | 0<=e<=d                | id[e] - J*U[e] - v[e] = 0                        | e from 0
id.column        |                        | id[d] - J*E - v[d] = 0                           |
l.start          | 1<=j<=n                | l[j] - j*E + E >= 0                              |
l.end            | 1<=j<=n                | j*E - E + B - 1 - l[j] >= 0                      |
l.low            | 1<=j<=n                | l[j] >= 0                                        |
l.next           | 1<=j<=n-1              | l[j+1] - l[j] - 1 >= 0                           |
l.order          | 1<=i<=j<=n             | l[j] - l[i] - j + i >= 0                         | j from i

lt.beyond        | 1<=j<=n                | lt[j] - l[n] - 1 >= 0                            | j from 1
lt.grow          | 1<=j<=n-1              | lt[j+1] - lt[j] - 1 >= 0                         |
lt.order         | 1<=i<=j<=n             | lt[j] - lt[i] - j + i >= 0                       | j from i
lt.upper         | 0<=j<=n                | P[j]*l[n] - lt[j] >= 0                           | j from 0
pos.waiting      | 1<=j, j+1<=i<=n        | l[i] - l[j] - 1 >= 0                             |
pos.later        | 1<=j<=i<=n             | l[j] = L + 1 + o |- l[i] - L - 1 >= 0            |
pos.max.first    | 1<=i<=n                | lt[0] - l[i] >= 0                                |
pos.max.is       |                        | lt[0] - l[n] = 0                                 |
pos.max.shifted  | 1<=i<=j<=n             | lt[j] - lt[i] >= 0                               |
pos.max.waiting  | 1<=j, j+1<=i<=n        | lt[j] - l[i] >= 0                                |
pos.min.waiting  | 1<=j<=i<=n             | l[i] - l[j] >= 0                                 |
pos.shift        | 1<=j<=n                | l[j] + B*(lt[j-1] - l[j]) - lt[j] = 0            |
pos.moves        | 1<=j<=n                | lt[j] - l[j] - 1 >= 0                            |
pos.passed.columns | 1<=j<=n, 3<=n        | lt[j] - n*E + E - B >= 0                         |
pos.passed.rows  | 1<=j<=n, 2<=d          | lt[j] - n*E + E - B >= 0                         |
pos.passed.one   | 1<=j<=n, 1<=d<=1, 2<=n<=2 | b[1] = b[2] + N - 2 - o |- lt[j] - n*E + E - B >= 0 |
pos.passed       | 1<=j<=n                | lt[j] - n*E + E - B >= 0                         |

again.first      | 1<=d<=1, 2<=n<=2       | b[1] = b[2] + N - 1 + o |- b[1] - B + 1 >= 0     |
again.second     | 1<=d<=1, 2<=n<=2       | b[1] = b[2] + N - 1 + o |- -b[2] >= 0            |
again.last       | 1<=d<=1, 2<=n<=2       | b[2] = 0 |- (n*E - E + B - 1) - l[n] - 1 >= 0    |
again.level      | 1<=d<=1, 2<=n<=2       | b[1] = B - 1, b[2] = 0 |- lt[1] - (n*E - E + B - 1) = 0 |
again.passed     | 1<=d<=1, 2<=n<=2       | b[1] = B - 1, b[2] = 0 |- lt[n] - (n*E - E + B - 1) - 1 >= 0 |
again.shift      | 1<=d<=1, 2<=n<=2       | lt[1] + B*(lt[n] - lt[1]) - la = 0               |
again.order      | 1<=d<=1, 2<=n<=2       | la - lt[n] - 1 >= 0                              |
again.large      | 1<=d<=1, 2<=n<=2       | la - 1 >= 0                                      |
again.start      | 1<=d<=1, 2<=n<=2       | la + n*N*P[n+1]*la - n*N*P[n+1]*la >= 0          |
again.bound      | 1<=d<=1, 2<=n<=2       | b[1] = B - 1, b[2] = 0 |- n*N*P[n+1] - 1 - la >= 0 |
again.above      | 1<=d<=1, 2<=n<=2       | b[2] = b[1] + o, BB[1] = B - 1, BB[2] = 0 |- lt[n] - LA - 1 >= 0 |
again.below      | 1<=d<=1, 2<=n<=2   | b[2] = b[1] - 1 - o, BB[1] = B - 1, BB[2] = 0 |- LA - lt[n] - 1 >= 0 |

pos.above        | 1<=j<=n                | lt[j] - 1 >= 0                                   |
pos.bound        |                        | n*N*P[n+1] - 1 - lt[n] >= 0                      |
pos.digit.differ | 1<=j<=n | LT[j-1] = lt[j-1] - l[j] + LL[j] + 1 + o |- LT[j] - lt[j] - 1 >= 0 |
pos.digit.same   | 1<=j<=n | LT[j-1] = lt[j-1] - l[j] + LL[j] |- LT[j] - lt[j] - LL[j] + l[j] = 0 |
pos.start        | 1<=j<=n                | lt[j] + n*N*P[n+1]*lt[n] - n*N*P[n+1]*lt[n] >= 0 |
pos.end          | 1<=j<=n                | n*N*P[n+1]*(lt[n] + 1) - lt[j] - n*N*P[n+1]*lt[n] - 1 >= 0 |
pos.next         |                        | M = I + 1 + o |- n*N*P[n+1]*M - n*N*P[n+1]*(I + 1) >= 0 |
pos.within       | 1<=j<=n-1 | lt[j+1] + n*N*P[n+1]*lt[n] - lt[j] - n*N*P[n+1]*lt[n] - 1 >= 0 |

piece.first      | 1<=j<=n                | N = o + 1 + u |- j*N - N + o >= 0                |
piece.last       | 1<=j<=n                | N = o + 1 + u |- (n*N - 1) - (j*N - N + o) >= 0  |
piece.below      |                        | L = I + 1 + o |- L - (I + 1) >= 0                |
piece.above      |                        | I = L + 1 + o |- I - (L + 1) >= 0                |
piece.at.start   |                        | I = L |- I - L >= 0                              |
piece.at.end     |                        | I = L |- (L + 1) - (I + 1) >= 0                  |
piece.to         |                        | I = L |- L - I = 0                               |
piece.layers     |                        | L = n*N - 1 |- d*(L - 0 + 1) - d*n*N = 0         |
size             |                        | (d + 3)*n*P[n] - d*n*N - n*B - 1 - n*P[n] >= 0   |
"""

# The cases of an induction's step, of which one always holds: what a row of a column of G+ has for an entry.
CASES = {
    "sentinel.bound": {
        "an entry of 0..N-1": "c[e] = c[e-1] + p[e-1]*w[e]",
        "a sentinel": "c[e] = c[e-1] - p[e-1]*N*P[n]",
    },
}

# The rules that link the recursions with the literal network (SYMBOLIC 5), and the facts of each rule.
RULES = {
    "heads": "head.above head.above.tie head.below head.below.tie head.mean",
    "layer": "heads layer.at.lower layer.at.upper layer.above.lower layer.above.upper layer.below.lower"
    " layer.below.upper",
    "ids": "row.low row.id row.differ row.same",
    "sentinels": "sentinel.id sentinel.far",
    "levels": "ids k.low k.last k.later sweep.waiting sweep.min.waiting",
    "sweep": "layer levels sweep.passed sweep.max.first sweep.max.is sweep.max.shifted sweep.max.waiting"
    " sweep.shift sweep.moves sweep.alone sweep.alone.is",
    "global": "sweep global.above global.alone global.zero",
    "sentinel-sweep": "layer levels sentinels cat3.idle cat3.passed cat3.max.first cat3.max.is"
    " cat3.max.before cat3.max.negative cat3.max.waiting r.order cat3.min.waiting cat3.min.shifted cat3.shift",
    "sentinel-global": "sentinel-sweep cat3.below cat3.above",
    "decoder": "ids digit.differ digit.same",
    "blocks": "ids E.wide id.column l.start l.end l.next",
    "positions-sweep": "layer blocks pos.waiting pos.later pos.max.first pos.max.is pos.max.shifted pos.max.waiting"
    " pos.min.waiting pos.shift pos.moves",
    "positions-again": "positions-sweep pos.passed.columns pos.passed.rows pos.passed.one again.first again.second"
    " again.last again.level again.passed again.shift again.order",
    "positions-decoder": "positions-again again.above again.below pos.digit.differ pos.digit.same",
    "positions-global": "positions-again pos.above again.large",
    "quantiser": "piece.first piece.last piece.below piece.above piece.at.start piece.at.end piece.to piece.layers",
}

# The rules and facts that are enough for each claim. The last three claims are not the paper's.
CLAIMS = {
    "b5.head": "heads",
    "b5.shift": "global sentinel-global",
    "b5.lattice": "global sentinel-global",
    "b5.ids": "ids",
    "b5.ids-sentinel": "sentinels",
    "b5.first-shift": "sweep t.first t.lifted",
    "b5.closed-form": "sweep closed.form",
    "b5.order": "sweep t.grow",
    "b5.max-min": "sweep",
    "lemma10.lower": "sweep lower",
    "lemma10.upper": "sweep upper",
    "lemma10.injective": "sweep decoder",
    "b5.global": "global",
    "b5.interval": "global decoder interval.start interval.end interval.next",
    "b5.cat2-constant": "sweep",
    "b5.cat2-reduced": "sweep",
    "b5.cat2-bound": "global cat2.bound cat2.bound.one cat2.value cat2.value.one",
    "b5.cat3-minimum": "sentinel-sweep cat3.negative",
    "b5.cat3-negative": "sentinel-global cat3.low",
    "b5.cat3-shift": "sentinel-sweep cat3.first r.large",
    "b5.cat3-final": "sentinel-global cat3.low cat3.high cat3.beyond",
    "lemma6.1": "global within",
    "lemma6.2": "global decoder across",
    "lemma6.3": "global inside.low inside.high",
    "lemma6.4": "global cat2.value cat2.value.one sentinel-global cat3.low cat3.high cat3.beyond cat3.under",
    "lemma6.layers": "layers",
    "lemma6.equivariant": "global sentinel-global",
    "c.quantizes": "quantiser",
    "c.ids": "blocks",
    "c.order": "positions-sweep pos.passed lt.grow",
    "c.bound": "positions-again pos.bound",
    "c.injective": "positions-decoder",
    "c.disjoint": "positions-decoder positions-global again.start again.bound pos.start pos.end pos.next",
    "c.contextual": "positions-decoder positions-global again.start again.bound pos.start pos.end pos.next pos.within",
    "theorem3.size": "E.wide size",
    "sharp.lower": "sweep lower.sharp lower.attained",
    "sharp.upper": "sweep upper.sharp upper.reached upper.attained",
    "c.order-repaired": "positions-sweep pos.passed.columns pos.passed.rows lt.grow",
}
OWN = {
    "sharp.lower": "The largest id after the sweep is at least what it is for the ids 0, 1, ..., n-1 (in units of"
    " delta). [(B-1)(l~_n/delta - n + 1) >= (n(B-1) - B) B^n + B, with equality there]",
    "sharp.upper": "The largest id after the sweep is at most what it is for the ids 0, ..., n-2 and B-1 (in units of"
    " delta). [(B-1) l~_n/delta <= (B-1)^2 + (B-2) B^(n+1) + B (n-1-B)(B-1) + B^2, with equality there]",
    "c.order-repaired": "Unless d = 1 and n = 2, the sweep over the n blocks of levels shifts each column once, in"
    " order, and keeps their order. [l~_1 < l~_2 < ... < l~_n, each column shifted once, for (d, n) != (1, 2)]",
}


def bounds(words: str) -> tuple[Bound, ...]:
    """`1<=j<=m-1, 2<=m` as pairs."""
    out: list[Bound] = []
    for chain in filter(None, words.replace(" ", "").split(",")):
        places = [index(part) for part in chain.split("<=")]
        out += pairwise(places)
    return tuple(out)


@dataclass(frozen=True)
class Equation:
    """atom = polynomial, wherever the indices are within the bounds."""

    range: tuple[Bound, ...]
    atom: Poly
    by: Poly


@dataclass(frozen=True)
class Fact:
    """For all whole numbers within the bounds: if the equations, then goal >= 0, or goal = 0."""

    name: str
    range: tuple[Bound, ...]
    given: tuple[Equation, ...]
    goal: Poly
    equal: bool
    variable: str  # of the induction; "" for none
    start: str
    statement: str

    @property
    def indices(self) -> list[str]:
        """The symbols that the fact is about, but for those of the instance."""
        return sorted({symbol for bound in self.range for symbol, _ in bound} - {"", "d", "n"})


def _equation(words: str, where: tuple[Bound, ...] = ()) -> Equation:
    left, right = words.split("=")
    return Equation(where, formula(left), formula(right))


def _fact(line: str) -> Fact:
    name, where, rest = (part.strip() for part in line.split("|", 2))
    middle, _, scheme = rest.rpartition("|")
    givens, turnstile, goal = middle.rpartition("|-")
    given = tuple(map(_equation, givens.split(","))) if turnstile else ()
    equal = ">=" not in goal
    polynomial = formula(goal.split("=" if equal else ">=")[0])
    variable, _, start = scheme.strip().partition(" from ")
    said = [f"for {', '.join(w.strip() for w in where.split(','))}: "] if where else []
    said += [f"if {' and '.join(f'{text(e.atom)} = {text(e.by)}' for e in given)}: "] if given else []
    said += [f"{text(polynomial)} {'=' if equal else '>='} 0"]
    said += [f"; by induction on {variable} from {start}"] if variable else []
    return Fact(name, bounds(where), given, polynomial, equal, variable, start, "".join(said))


def _definition(line: str) -> tuple[str, Equation]:
    name, where, words = (part.strip() for part in line.split("|"))
    return name, _equation(words, bounds(where))


def names_of(words: str) -> frozenset[str]:
    """Rules and facts as facts."""
    return frozenset().union(*(names_of(RULES[word]) if word in RULES else {word} for word in words.split()))


DEFINED = dict(map(_definition, DEFINITIONS.strip().splitlines()))
FACT = {fact.name: fact for fact in map(_fact, filter(None, FACTS.splitlines()))}
CASE = {name: {case: _equation(words) for case, words in cases.items()} for name, cases in CASES.items()}
ENOUGH = {claim: names_of(words) for claim, words in CLAIMS.items()}
