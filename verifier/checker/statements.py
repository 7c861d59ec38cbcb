"""Every claim that a certificate may list, in FORMAT 6's order, with its statement (the checker's own copy)."""

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
"""
STATEMENTS: dict[str, str] = dict(line.split(": ", 1) for line in _TEXT.splitlines())
IDS = tuple(STATEMENTS)
