"""Every claim that a certificate may list, in the order of FORMAT 6 and 11, with its statement (a copy of its own)."""

_TEXT = """\
claim1.attention: An attention layer commutes with every permutation of the columns, whatever its weights, with \
softmax and with hardmax (shown with symbols at this d and n, for h = 2 heads of size m = 1 and 2). [Attn(XP) = \
Attn(X) P]
claim1.feedforward: A token-wise feed-forward layer commutes with every permutation of the columns, whatever its \
weights and its activation (shown with symbols at this d and n, for r = 1 and 2 hidden nodes). [FF(XP) = FF(X) P]
grid.sizes: The three categories of G+ have the sizes that the formulas give. [|G| = N^(dn), |G~| = B!/(B-n)! (none \
if n > B), |G+| = (N+1)^(dn)]
grid.duplicates: Matrices of G with two equal columns are rare: their share is at most n(n-1)/2 . delta^d. At this n \
no smaller constant serves all N, for the share over delta^d tends to it (and it grows with n). [|G minus G~| / |G| = \
1 - (1 - 1/B)...(1 - (n-1)/B) <= n(n-1)/2 . delta^d]
grid.order: The (N+1)^d columns of G+ have pairwise distinct ids, so that 'by increasing id' is an order. [u^T c != \
u^T c' for columns c != c' of G+]
b5.head: A head psi(X; b) gives the largest id to each column whose id is above b, and the smallest id to each column \
whose id is below b, ties among the largest or smallest included. (Of a column whose id is b it says nothing: the \
hardmax of equal scores gives the mean of all ids.) [psi(X; b)_j = max_k u^T X_k if u^T X_j > b, min_k u^T X_k if u^T \
X_j < b]
b5.shift: A layer X + delta^-d Psi(X; b, b') adds delta^-d (max - min) to the first entry of the columns with b < id \
< b' and nothing anywhere else, and during the sweep no id ever equals b or b'. (At the global shift ids equal its \
threshold, 0, of the zero matrix alone, where the head is the mean of zeros.) [Psi(X; b, b')_1j = max_k u^T X_k - \
min_k u^T X_k if b < u^T X_j < b', 0 if outside]
b5.lattice: Every number that the construction produces on G+ is a whole multiple of delta. [N x is whole for every \
entry x of every matrix, and every value of every head, in the run]
b5.ids: On the columns without a sentinel the id is a bijection onto the levels of the sweep. [c -> u^T c from {0, \
delta, ..., 1-delta}^d onto {0, delta, ..., delta^-d+1 - delta}]
b5.ids-sentinel: A column with a sentinel has an id that is far below zero. [u^T c <= -delta^-(nd) + delta^-(d-1) - 1 \
< 0]
b5.first-shift: The first shift lifts the column of the smallest id above the largest id. [l~_1 = l_1 + delta^-d (l_n \
- l_1) > l_n]
b5.closed-form: The ids after the sweep have a closed form. [l~_j = l_j + sum_{k=1}^{j-1} delta^-(kd) (l_{j-k} - \
l_{j-k+1}) + delta^-(jd) (l_n - l_1)]
b5.order: The sweep keeps the order of the columns, and no two ids meet. [l~_1 < l~_2 < ... < l~_n]
b5.max-min: Right after the j-th shift the column of l_j holds the maximum and that of l_{j+1} the minimum; each \
column is shifted exactly once, in order. [after shift j: max = l~_j, min = l_{j+1}]
lemma10.lower: The largest id after the sweep is not below a bound. [delta^-((n-1)d) delta (delta^-d - 1) <= l~_n]
lemma10.upper: The largest id after the sweep is not above a bound. [l~_n <= delta^-(nd) delta (delta^-d - 1) - delta \
(delta^-d - 1)^2]
lemma10.injective: The sorted ids are determined by the largest id after the sweep. [[l_1, ..., l_n] -> l~_n is \
one-to-one]
b5.global: The global shift adds the same number to every id, and no layer touches rows 2..d. [q_j = l~_j + \
delta^-((n+1)d) l~_n]
b5.interval: The values of a context lie in an interval of its own, disjoint from those of other column sets. [q_j in \
[delta^-((n+1)d) l~_n, delta^-((n+1)d) l~_n + delta^-((n+1)d) delta)]
b5.cat2-constant: When all columns are equal the sweep changes nothing. [L after the sweep = L]
b5.cat2-reduced: With n' distinct columns the sweep acts as on the sequence of those n' columns; equal columns move \
together. [each column after the sweep = that column after the sweep of the n' distinct columns alone]
b5.cat2-bound: The largest id after the sweep stays below Lemma 10's lower bound by at least delta, and every final \
value below t_l. [max_j l~_j <= delta^-((n-1)d) delta (delta^-d - 1) - delta, and q_j < t_l]
b5.cat3-minimum: The smallest id is negative, its column is never shifted, and it stays the smallest. [l_1 < 0, and \
min_k u^T X_k = l_1 after every layer of the sweep]
b5.cat3-negative: When all ids are negative the sweep changes nothing, and every final value is negative. [L after \
the sweep = L, and q_j < 0]
b5.cat3-shift: The first shift is by a large amount, and after the sweep every column whose id was not negative is at \
least that large. [first shift >= delta^-((n+1)d) delta, and l~_j >= delta^-((n+1)d) delta for l_j >= 0]
b5.cat3-final: Every final value is negative or beyond a bound that exceeds t_r. [q_j < 0 or q_j >= delta^-((2n+2)d) \
delta > t_r]
lemma6.1: The n values of a context of G~ are distinct. [L in G~: the entries of q(L) are all distinct]
lemma6.2: Contexts of G~ that are not permutations of each other have no value in common. [L, L' in G~, L' not a \
permutation of L: all entries of q(L), q(L') are distinct]
lemma6.3: Every value of a context of G~ lies in [t_l, t_r). [L in G~: t_l <= q(L)_j < t_r]
lemma6.4: Every value of every other matrix of G+ lies outside [t_l, t_r). [L in G+ minus G~: q(L)_j < t_l or q(L)_j \
>= t_r]
lemma6.layers: The network has delta^-d + 1 attention layers with at most two heads, each of size one. [delta^-d + 1 \
layers, h = 2, m = 1]
lemma6.equivariant: Permuting the columns of a matrix of G+ permutes the columns of its image. [g_c(LP) = g_c(L) P \
for L in G+ and every permutation matrix P]
lemma5.quantizes: Every real d x n matrix goes to the lower corner of its cube, and an entry outside [0, 1) to the \
sentinel: on every piece of the real line the layers of a row compose to a constant. [g_q: x -> k delta on [k delta, \
(k+1) delta), -delta^-(nd) for x < 0 and x >= 1]
lemma5.activations: Every activation of the quantiser is piecewise linear with at most three pieces, at least one of \
them constant. [phi in Phi]
lemma5.layers: The quantiser has d/delta + d layers of hidden size 1. [d/delta + d layers, r = 1]
lemma7.reject: The value map sends every matrix of G+ that is not in G~ to the zero matrix. [g_v(g_c(L)) = 0 for L in \
G+ minus G~]
lemma7.map: The value map sends every L in G~ to its target A_L, whatever the targets are. Shown with targets that are \
themselves keys: each token's target has the id of the next token's key, and is mapped on by the next layer. \
[g_v(g_c(L)) = A_L for L in G~, for any equivariant choice of A_L]
lemma7.map-bounded: With the hypothesis that no target column has an id of t_l - delta/2 or more, the value map sends \
every L in G~ to its target: keys are at least t_l and at least delta apart, so that a window of width delta holds one \
key and no target. (Run with small targets.) [g_v(g_c(L)) = A_L for L in G~, if |u^T (A_L)_j| < t_l - delta/2]
lemma7.layers: The value map has 1 + d + n C(B, n) layers. At this d and n that is at most C n delta^-(dn) / n! for \
every N >= 2, with C = (1+d) n! / (n 2^(dn)) + 1 (no constant serves all n: with n > B there is no key, and 1 + d \
layers remain). [1 + d + n C(B, n) <= C n delta^-(dn) / n!]
prop4.network: The network g_v o g_c o g_q equals the piecewise constant target on every cube of G~ and is 0 \
elsewhere, whatever the target is. (Run at the lower corner and the centre of every cube, and outside [0,1); by \
lemma5.quantizes the output is constant on each cube. The targets are those of lemma7.map.) [g(X) = A_L for X in S_L, \
L in G~, and 0 for every other X]
prop4.network-bounded: With the hypothesis that no target column has an id of t_l - delta/2 or more, the network \
equals the piecewise constant target on every cube of G~ and is 0 elsewhere. (Run with small targets; see \
lemma7.map-bounded.) [g(X) = A_L for X in S_L, L in G~, and 0 for every other X, if |u^T (A_L)_j| < t_l - delta/2]
prop4.distance: The p-distance of the network to its piecewise constant target is O(delta^d) for every p >= 1. Shown \
with the target whose entries are all 1, which the network misses on the cubes of G minus G~ alone. It is so for p = \
1; for p = 2 the constant would have to grow, for (distance / delta^d)^2 = d n |G minus G~| / |G| . delta^-2d >= d n \
delta^-d. [d_p(g, f) = O(delta^d)]
prop4.distance-p: The p-distance of the network to the target whose entries are all 1 is of the order delta^(d/p) \
exactly, for every p >= 1. [d n delta^d <= d_p(g, f)^p <= d n . n(n-1)/2 . delta^d]
lemma8.radius: A point X of the cube of L is within delta of the cube's centre C in every norm. It is at its farthest \
at the lower corner X = L, in the norm p = 1. [||X - C||_p <= delta for X in S_L, p >= 1]
lemma8.radius-p: With the hypothesis 2^p >= d n, a point X of the cube of L is within delta of the cube's centre C in \
the norm p (and within delta/2 in the sup norm, for every d and n). [||X - C||_p <= delta for X in S_L, if 2^p >= d n]
lemma8.equivariant: The approximation that is constant on cubes, with the value of an equivariant f at the centre, is \
equivariant. [f(C_LP) = f(C_L) P, X P in S_LP for X in S_L]
lemma9.relu: Every activation of the construction, and one with each of its three pieces the constant one, is matched \
off intervals of width eps by four ReLUs. (phi~ is linear in the slopes and intercepts of phi, and both sides follow a \
change of scale.) [phi~ = phi off [c_i - eps, c_i)]
lemma9.softmax: In every head the best score is at least delta^2/2 above the next, so that with lambda = 2 N^2 K, K = \
10 + (the bits of n-1), every entry of softmax(lambda A) is within 1/1024 of that of hardmax(A): it differs by at most \
(n-1) e^(-lambda gap) <= (n-1) 2^-K. [|softmax(lambda A) - hardmax(A)| <= 1/1024]
lemma9.compact: On [0,1]^(dn), off a set of measure at most 1 - (1 - N eps)^(dn), the standard network (each hardmax \
replaced by softmax(lambda .), each activation by its four ReLUs, eps <= delta/8) agrees with the modified one up to \
delta/8, for targets as in lemma7.map-bounded, with lambda = 32 K N^2 / 9: errors grow by at most 1 + 2B in a layer of \
the sweep, and no id comes near an edge of an activation of the value map. (Smaller errors: larger K.) [2 R (n-1) 2^-K \
(1+2B)^B (1 + delta^-((n+1)d)) <= delta/8, R = delta^-(nd) delta (delta^-d - 1)]
lemma9.distance: The standard network is within any wanted p-distance of the modified one, integrated over all of R^(d \
x n), once lambda is large and eps small. Take entry (1,1) from -eps to delta/2, the other entries of row 1 anywhere \
left of -eps, all others in [0, delta/2]: the modified network is 0 there until x_11 = 0 and after, while the first \
value of the standard one goes continuously from below t_l to above t_r, through values that no window of the value \
map covers, whatever the other entries of row 1 are: the set has infinite measure, for every lambda >= 2 N^2 K. \
[d_p(g, g~) < infinity]
theorem2.size: The whole construction has (h, m, r) = (2, 1, 4) once its activations are made of ReLUs, and at this d \
and n at most C n delta^-(dn) / n! blocks for every N >= 2, with C = 1 + (2+2d) n! / (n 2^(dn)) + (d+1) n! / (n \
2^(d(n-1))), each of 17 d + 6 parameters (with the biases b_Q of its two heads). [d/delta + d + delta^-d + 1 + 1 + d + \
n C(B, n) blocks]
theorem2.heads: Every attention layer of the construction is of the paper's form (1), Attn(X) = X + sum_i W_O W_V X \
sigma[(W_K X)^T W_Q X], which has no bias. Such a layer is an odd function of X. [Attn(-X) = -Attn(X)]
c.quantizes: An entry of [j-1, j) in column j goes to its lower corner: on every piece the layers of a row compose to \
a constant. [g_q: x -> j-1 + k delta on [j-1 + k delta, j-1 + (k+1) delta), dn/delta layers]
c.ids: The ids of a context lie in blocks that don't meet, so that they increase. [s_j <= l_j <= s_j + delta^-d+1 - \
delta, l_1 < ... < l_n]
c.order: The sweep over the n blocks of levels shifts each column once, in order, and keeps their order. [l~_1 < l~_2 \
< ... < l~_n, each column shifted once]
c.bound: The last id after the sweep is below a bound. [l~_n < n delta^-((n+1)d)]
c.injective: A context is determined by its last id after the sweep. [L -> l~_n is one-to-one]
c.disjoint: After the global shift different contexts have their values in disjoint intervals. [q_j in [P m, P m + n \
delta^-((n+1)d)), m = max_j l~_j, P = n delta^-((n+1)d) delta^-1]
c.contextual: With positional encodings q is a contextual mapping on all N^(dn) contexts. [the entries of q(L), q(L') \
are all distinct, for L != L']
theorem3.size: The construction of Theorem 3 has dn/delta + n delta^-d + 1 + n delta^-(dn) layers, at most (d+3) n \
delta^-(dn) of them for every d, n and N. [O(n delta^-(dn)) layers]
hu.ids-sentinel: A column with a sentinel has an id that is far below zero. [u^T c <= -3n delta^-(dn) + \
(j-1)(delta^-d+1 - delta)/(1-delta) + delta^-d+1 < 0]
hu.order: For good contexts the j-th shift leaves l~_j the maximum and l_(j+1) the minimum, and the order is kept. \
[after shift j: max = l~_j, min = l_{j+1}; l~_1 < ... < l~_n]
hu.bounds: For good contexts the last id after the sweep is between two bounds. [delta^-((n-1)d) delta (delta^-d - 1) \
<= l~_n <= n delta^-((n+1)d)]
hu.layers: The contextual map needs delta^-d + 1 attention layers, and the value map O(n delta^-(dn) / n!) layers. \
[delta^-d + 1 attention layers]
hu.distinct: Within and across all good contexts the entries of q are distinct. [the entries of q(L), q(L') are all \
distinct, for good L != L']
hu.threshold: Every value of a good context is in [t_l, t_r], as published. [hu.t_l = n delta^-(2(n+1)d) (delta^-d - \
1) <= q_j <= hu.t_r = n^2 delta^-(2(n+1)d) delta^-1 + n delta^-((n+1)d)]
hu.threshold-repaired: With t_l = n delta^-(2nd) (delta^-d - 1), the product of the global factor and of the lower \
bound of hu.bounds, every value of a good context is in [t_l, t_r], and every value of every other one outside. [n \
delta^-(2nd) (delta^-d - 1) <= q_j <= hu.t_r, for good contexts and no others]
hu.outside: Every value of every context that is not good is outside [t_l, t_r], as published. [q_j < hu.t_l or q_j > \
hu.t_r]
s6.average: Average attention, X + W X (1 1^T / n), is not a contextual mapping, whatever W is: two contexts of equal \
sum that share a column give it the same image. [x + W (sum of the columns of L) / n is the same in L and L']
s6.bilinear: With drawn rational weights the bilinear projection X + W_O X W_P is a contextual mapping of the matrices \
with distinct columns, in every order. [u^T (X + W_O X W_P) has distinct entries within and across all L in G~]
s6.sepconv: A depth-wise separable convolution with a filter of n - 1 columns (cyclic, so that contexts are taken up \
to rotation) is not a contextual mapping as one layer; a stack of two can be one. [SepConv(X) = X + W_O (X * W_C), (X \
* W_C)_ij = sum_{t=0}^{n-2} (W_C)_it X_i(j+t mod n)]
slides.sentinel: With the slides' sentinel -delta^(nd) in place of -delta^-(nd) every value of every matrix outside G~ \
still lies outside [t_l, t_r). [sentinel -delta^(nd): q(L)_j < t_l or q(L)_j >= t_r]
slides.one-dimensional: The slides' sketch for d = 1 and distinct columns: each output leads back to its own token, \
and the largest output to all of them. In whole numbers k_j = N L_j: for k = 0..N-1 add N r, r = max - min, to those \
that equal k. [k_j = O_j mod N, and max_j O_j determines k_1, ..., k_n]
slides.one-dimensional-all: The sketch without the condition that the columns are distinct. [max_j O_j determines k_1, \
..., k_n for every L in G]
slides.broadcast: Adding N^(n+1) max_j O_j to every coordinate puts all tokens into each of them. [k_1, ..., k_n from \
each O_j + N^(n+1) max O]
slides.closed: Lemma 6's interval may be closed. [L in G~: t_l <= q(L)_j <= t_r; L in G+ minus G~: q(L)_j < t_l or \
q(L)_j > t_r]
"""
STATEMENTS: dict[str, str] = dict(line.split(": ", 1) for line in _TEXT.splitlines())
IDS = tuple(STATEMENTS)
