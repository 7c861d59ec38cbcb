/* The claims of Lemma 6 over a stretch of the orbits of G+, in whole numbers of delta.
 *
 * The layers have the form that proofs/FORMAT.md, 4 gives them (Lemmas H, S, P): a level that columns occupy adds
 * factor (max - min) to them, the global shift adds G max to the positive ids and G min to the negative ones. The ids
 * after the sweep are computed of every orbit, and the tightest case of every inequality kept with its first rank.
 * Whatever is not as the paper claims it, an equality that fails or an inequality, is *irregular*: it is counted, and
 * the caller asks the literal network. kernel.py has computed beforehand that no number leaves its width.
 *
 * `general` takes any orbit, in 128 bits and (the values of Category 3) 192, and weighs every inequality on it. Where
 * 64 bits are enough (`fast`), orbits that share all but the last column are taken several at a time: those of
 * Category 1 by `last_columns`, those of Categories 2 and 3 by `same_prefix`, which checks of every orbit that its ids
 * grow with the last column, so that the tightest case is at an end of the stretch, and leaves that end to `general`.
 * Both are compared with `general`, and that with the literal network, in the tests. */
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are never passed from one file to another */

typedef __int128 wide;
typedef int64_t num;

#define INLINE static inline __attribute__((always_inline))
#define MOST_TOKENS 64
#define FIXED 5 /* tokens: so many have loops of their own */
#define MODULUS 2147483647LL
#define MOST ((wide)1 << 126) /* no number of a run is as large, and none of Category 3's values 2^64 times */

enum slot {
    FIRST_SHIFT, ORDER, LOWER, UPPER, INTERVAL_LOW, INTERVAL_HIGH, DISTINCT, INSIDE_LOW, INSIDE_HIGH, /* Category 1 */
    NEAREST,                                                  /* of an entry to the next context's; see engine.py */
    CAT2_IDS, CAT2_VALUES, OUTSIDE_LOW, OUTSIDE_HIGH,                                         /* Categories 2 and 3 */
    MINIMUM, NEGATIVE, FIRST_AMOUNT, SHIFTED_IDS, FINAL_NEGATIVE, FINAL_POSITIVE,                     /* Category 3 */
    SLOTS
};

typedef struct { wide high; uint64_t low; } big; /* high 2^64 + low */
typedef struct { big slack; uint64_t rank; uint64_t known; } edge;

typedef struct {
    num n, columns, sentinels, B, factor, lower, fast; /* fast: 64 bits are enough for Category 1 */
    const num *ids;
    wide upper, P, G, t_l, t_r, final_bound; /* P = B^(n+1) */
} params;

typedef struct {
    edge tightest[SLOTS];
    wide matrices[3];
    uint64_t orbits[3], constant, reduced, negative, mixed;
    uint64_t digest, irregular, first_irregular;
} result;

#define MOST_BIG ((big){MOST, 0})

INLINE big of(wide v) { return (big){v >> 64, (uint64_t)v}; }

INLINE big plus(big a, big b) {
    const uint64_t low = a.low + b.low;
    return (big){a.high + b.high + (low < a.low), low};
}

INLINE big minus(big a, big b) { return (big){a.high - b.high - (a.low < b.low), a.low - b.low}; }

INLINE int less(big a, big b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

INLINE big times(wide a, wide b) { /* the product has room in 192 bits; what is beyond wraps, and comes to nothing */
    typedef unsigned __int128 bare;
    const bare a_low = (uint64_t)a, b_low = (uint64_t)b, a_high = (bare)(a >> 64), b_high = (bare)(b >> 64);
    const bare low = a_low * b_low;
    return (big){(wide)((a_high * b_high << 64) + a_high * b_low + b_high * a_low + (low >> 64)), (uint64_t)low};
}

static inline void weigh_big(result *r, enum slot slot, big slack, uint64_t rank) {
    edge *e = &r->tightest[slot];
    if (!e->known || less(slack, e->slack)) { e->slack = slack; e->rank = rank; e->known = 1; }
}

static inline void weigh(result *r, enum slot slot, wide slack, uint64_t rank) { weigh_big(r, slot, of(slack), rank); }

static inline uint64_t folded(uint64_t v) { /* v mod 2^31 - 1, up to one MODULUS too large */
    v = (v & MODULUS) + (v >> 31);
    return (v & MODULUS) + (v >> 31);
}

static inline uint64_t residue(wide v) { /* likewise; 2^62 and 2^124 are 1, and 2^128 is 16 */
    const unsigned __int128 u = (unsigned __int128)v;
    const uint64_t low = (uint64_t)u & (UINT64_MAX >> 2), middle = (uint64_t)(u >> 62) & (UINT64_MAX >> 2);
    return folded(low + middle + (uint64_t)(u >> 124) + (v < 0 ? MODULUS - 16 : 0));
}

static inline uint64_t residue_of_big(big v) { /* 2^64 is 4 */
    return folded(4 * residue(v.high) + residue((wide)v.low));
}

INLINE int repeats(const num *c, int n) { /* a bit for each column that is the one before it */
    int equal = 0;
    for (int j = 1; j < n; j++) equal |= (c[j] == c[j - 1]) << (j < FIXED ? j : FIXED);
    return equal >> 1;
}

static void irregular(result *r, uint64_t rank) {
    if (!r->irregular++) r->first_irregular = rank;
}

static wide factorial(int n) {
    wide product = 1;
    for (int k = 2; k <= n; k++) product *= k;
    return product;
}

static wide arrangements(const num *c, int n) { /* n! / (m_1! m_2! ...) */
    wide size = 1;
    for (int j = 0, same = 0; j < n; j++) {
        same = j && c[j] == c[j - 1] ? same + 1 : 1;
        size = size * (j + 1) / same;
    }
    return size;
}

INLINE void category1(const params *p, result *r, const int n, const num *x, const wide *s, const wide *q,
                      uint64_t rank) {
    const wide B = p->B, top = s[n - 1], v = x[n - 1];
    int good = s[0] == x[0] + B * (v - x[0]) && s[0] >= B;
    wide gap = 0, apart = 0, low = q[0], high = q[0];
    for (int j = 0; j < n; j++) {
        wide closed = x[j], power = 1;
        for (int k = 1; k <= j; k++) { power *= B; closed += power * (x[j - k] - x[j - k + 1]); }
        closed += power * B * (v - x[0]);
        good &= s[j] == closed && q[j] == s[j] + p->P * top;
        if (j && (j == 1 || s[j] - s[j - 1] < gap)) gap = s[j] - s[j - 1];
        if (j && (j == 1 || q[j] - q[j - 1] < apart)) apart = q[j] - q[j - 1];
        if (q[j] < low) low = q[j];
        if (q[j] > high) high = q[j];
    }
    good &= gap > 0 && apart > 0 && s[0] > v && top >= p->lower && top <= p->upper;
    good &= low >= p->P * top && high < p->P * (top + 1) && low >= p->t_l && high < p->t_r;
    if (!good) irregular(r, rank);
    weigh(r, FIRST_SHIFT, s[0] - v, rank);
    weigh(r, ORDER, gap, rank);
    weigh(r, LOWER, top - p->lower, rank);
    weigh(r, UPPER, p->upper - top, rank);
    weigh(r, INTERVAL_LOW, low - p->P * top, rank);
    weigh(r, INTERVAL_HIGH, p->P * (top + 1) - high, rank);
    weigh(r, DISTINCT, apart, rank);
    weigh(r, INSIDE_LOW, low - p->t_l, rank);
    weigh(r, INSIDE_HIGH, p->t_r - high, rank);
    if (v < B - 1) weigh(r, NEAREST, p->P - (top - s[0] - 1), rank);
}

INLINE void outside(const params *p, result *r, const int n, const big *q, uint64_t rank) {
    const big t_l = of(p->t_l), t_r = of(p->t_r);
    big below = MOST_BIG, above = MOST_BIG; /* the least distance on either side of the interval, if any */
    for (int j = 0; j < n; j++) {
        const big to_low = minus(t_l, q[j]), to_high = minus(q[j], t_r);
        if (!less(of(0), to_low) && to_high.high < 0) irregular(r, rank);
        if (less(to_high, to_low)) { if (less(to_low, below)) below = to_low; }
        else if (less(to_high, above)) above = to_high;
    }
    if (less(below, MOST_BIG)) weigh_big(r, OUTSIDE_LOW, below, rank);
    if (less(above, MOST_BIG)) weigh_big(r, OUTSIDE_HIGH, above, rank);
}

INLINE void category2(const params *p, result *r, const int n, const num *x, const wide *s, const wide *q,
                      uint64_t rank) {
    wide most = s[0], high = q[0], alone = x[n - 1];
    const int constant = x[0] == x[n - 1];
    int good = 1;
    for (int j = 0; j < n; j++) {
        /* the sweep of the distinct columns alone: k~_j = k_j + factor (k~_{j-1} - k_j) */
        if (!j || x[j] != x[j - 1]) alone = x[j] + p->factor * (alone - x[j]);
        good &= constant ? s[j] == x[j] : s[j] == alone && s[j] >= p->B;
        if (s[j] > most) most = s[j];
        if (q[j] > high) high = q[j];
    }
    if (constant) r->constant++; else r->reduced++;
    if (!good || most > p->lower - 1 || high >= p->t_l) irregular(r, rank);
    weigh(r, CAT2_IDS, p->lower - 1 - most, rank);
    weigh(r, CAT2_VALUES, p->t_l - high, rank);
    big values[MOST_TOKENS];
    for (int j = 0; j < n; j++) values[j] = of(q[j]);
    outside(p, r, n, values, rank);
}

INLINE void category3(const params *p, result *r, const int n, const num *x, const wide *s, const big *q, wide amount,
                      uint64_t rank) {
    int good = x[0] < 0 && s[0] == x[0];
    weigh(r, MINIMUM, -(wide)x[0], rank);
    if (x[n - 1] < 0) {
        big high = q[0];
        for (int j = 1; j < n; j++) if (less(high, q[j])) high = q[j];
        good &= high.high < 0;
        r->negative++;
        weigh_big(r, NEGATIVE, minus(of(0), high), rank);
    } else {
        good &= amount >= p->P;
        r->mixed++;
        weigh(r, FIRST_AMOUNT, amount - p->P, rank);
    }
    wide shifted = MOST;
    big negative = MOST_BIG, positive = MOST_BIG; /* the least of each, if any */
    for (int j = 0; j < n; j++) {
        const big opposite = minus(of(0), q[j]);
        if (x[j] < 0) good &= s[j] == x[j];
        else if (s[j] < shifted) shifted = s[j];
        if (q[j].high >= 0) { if (less(q[j], positive)) positive = q[j]; }
        else if (less(opposite, negative)) negative = opposite;
    }
    good &= shifted >= p->P && shifted >= p->B && !less(positive, of(p->final_bound));
    if (shifted != MOST) weigh(r, SHIFTED_IDS, shifted - p->P, rank);
    if (less(negative, MOST_BIG)) weigh_big(r, FINAL_NEGATIVE, negative, rank);
    if (less(positive, MOST_BIG)) weigh_big(r, FINAL_POSITIVE, minus(positive, of(p->final_bound)), rank);
    if (!good) irregular(r, rank);
    outside(p, r, n, q, rank);
}

INLINE void any_orbit(const params *p, result *r, const int n, const num *c, uint64_t rank, const wide *sizes) {
    num x[MOST_TOKENS];
    wide s[MOST_TOKENS], q[MOST_TOKENS], most = 0, least = 0, amount = 0;
    big values[MOST_TOKENS]; /* of Category 3, in place of q */
    const int equal = repeats(c, n), category = c[0] < p->sentinels ? 3 : equal ? 2 : 1;
    int shifted = 0;
    if (n < 2 || n > MOST_TOKENS) __builtin_unreachable();
    for (int j = 0; j < n; j++) x[j] = p->ids[c[j]];
    for (int j = 0; j < n; j++) { /* the levels that columns occupy, in increasing order */
        if (x[j] < 0) { s[j] = x[j]; continue; }
        if (j && x[j] == x[j - 1]) { s[j] = s[j - 1]; continue; }
        wide top = x[n - 1], bottom = x[0] < 0 ? x[0] : x[j]; /* of the ids that are not shifted (yet) */
        if (shifted && most > top) top = most;
        if (shifted && least < bottom) bottom = least;
        const wide up = p->factor * (top - bottom);
        s[j] = x[j] + up;
        if (!up) continue;
        if (s[j] < p->B) irregular(r, rank); /* a later level would meet it again */
        if (p->factor != p->B) irregular(r, rank); /* b5.shift has the paper's factor */
        if (!shifted) amount = up;
        if (!shifted || s[j] > most) most = s[j];
        if (!shifted || s[j] < least) least = s[j];
        shifted = 1;
    }
    most = least = s[0];
    for (int j = 1; j < n; j++) {
        if (s[j] > most) most = s[j];
        if (s[j] < least) least = s[j];
    }
    uint64_t weighed = 0;
    for (int j = 0; j < n; j++) {
        if (s[j] == 0 && most != least) irregular(r, rank); /* the threshold of the global shift is met */
        const wide last = s[j] > 0 ? most : s[j] < 0 ? least : 0;
        if (category == 3) {
            values[j] = plus(of(s[j]), times(p->G, last));
            weighed += (uint64_t)(j + 1) * residue_of_big(values[j]);
        } else {
            q[j] = s[j] + p->G * last;
            weighed += (uint64_t)(j + 1) * residue(q[j]);
        }
    }
    r->digest = (r->digest + folded(weighed) * ((rank + 1) % MODULUS)) % MODULUS;
    r->orbits[category - 1]++;
    r->matrices[category - 1] += n <= FIXED ? sizes[equal] : arrangements(c, n);
    if (category == 1) category1(p, r, n, x, s, q, rank);
    else if (category == 2) category2(p, r, n, x, s, q, rank);
    else category3(p, r, n, x, s, values, amount, rank);
}

/* A loop of a length that the compiler knows is a fast one, so that each small n has its own. */
#define GENERAL(name, n)                                                                                              \
    static __attribute__((noinline)) void name(const params *p, result *r, const num *c, uint64_t rank,               \
                                               const wide *sizes) { any_orbit(p, r, n, c, rank, sizes); }
GENERAL(general_2, 2)
GENERAL(general_3, 3)
GENERAL(general_4, 4)
GENERAL(general_5, 5)
GENERAL(general_n, (int)p->n)

INLINE void general(const params *p, result *r, const int n, const num *c, uint64_t rank, const wide *sizes) {
    (n == 2   ? general_2
     : n == 3 ? general_3
     : n == 4 ? general_4
     : n == 5 ? general_5
              : general_n)(p, r, c, rank, sizes);
}

/* The orbits of Category 1 that share all but the last column, several at a time: each is a lane. A lane keeps its
 * own extremes, the first of equals, until `collect` brings them together. */
#ifdef __AVX512F__
#define LANES 8
#define ORDINAL ((lanes){0, 1, 2, 3, 4, 5, 6, 7})
#elif defined __AVX2__
#define LANES 4
#define ORDINAL ((lanes){0, 1, 2, 3})
#else /* not wider than the machine's vectors: those are taken apart, number by number */
#define LANES 2
#define ORDINAL ((lanes){0, 1})
#endif
typedef num lanes __attribute__((vector_size(sizeof(num) * LANES)));
typedef uint64_t bits __attribute__((vector_size(sizeof(num) * LANES)));

typedef struct { lanes value, rank; } extreme;

typedef struct {
    extreme first, gap, top, bottom_up, most, near, inside; /* bottom_up: l~_1 */
    lanes inside_first, bad, digest;                        /* inside: l~_n, and of equal ones l~_1 */
    num powers[MOST_TOKENS + 1];
    uint64_t orbits;
} stretch;

INLINE lanes every(num v) { return v - (lanes){0}; }
INLINE lanes choose(lanes where, lanes a, lanes b) { return (where & a) | (~where & b); }
INLINE lanes fold(lanes v) { return (v & MODULUS) + (lanes)((bits)v >> 31); } /* towards v mod 2^31 - 1 */

INLINE void lowest(extreme *e, lanes value, lanes rank) {
    const lanes where = value < e->value;
    e->value = choose(where, value, e->value);
    e->rank = choose(where, rank, e->rank);
}

/* Orbits of Category 1 that share c[0..n-2], the last column from..to, all above c[n-2]; the paper's factors. */
INLINE void last_columns(const params *p, stretch *t, const int n, const num *c, num from, num to, uint64_t rank) {
    const num B = p->B, D = t->powers[n] - B + 1;
    num x[MOST_TOKENS], C[MOST_TOKENS]; /* closed form: l~_j = C_j + D_j v, v the last id */
    for (int j = 0; j < n - 1; j++) x[j] = p->ids[c[j]];
    x[n - 1] = 0;
    for (int j = 0; j < n; j++) {
        C[j] = x[j] - t->powers[j + 1] * x[0];
        for (int k = 1; k <= j; k++) C[j] += t->powers[k] * (x[j - k] - x[j - k + 1]);
    }
    const num factor = (num)folded(residue(p->P) * (uint64_t)(n * (n + 1) / 2));
    const num weight = (num)((rank + 1) % MODULUS);
    lanes digest = {0};
    for (num k = from; k <= to; k += LANES) {
        const num begin = k + LANES <= p->columns ? k : p->columns - LANES; /* the last lanes overlap those before */
        const lanes place = ORDINAL + (begin - from), live = (place >= k - from) & (place <= to - from);
        lanes v;
        __builtin_memcpy(&v, p->ids + begin, sizeof v);
        v = choose(live, v, every(p->ids[k]));
        const lanes at = choose(live, place, every(k - from)) + (num)rank;
        lanes before = v, s0 = v, narrow = every(INT64_MAX), weighed = {0};
        for (int j = 0; j < n; j++) {
            const lanes x_j = j < n - 1 ? every(x[j]) : v;
            const lanes s = x_j + B * (before - x_j); /* max is the last one shifted, min is x_j */
            t->bad |= s ^ (C[j] + (j < n - 1 ? t->powers[j + 1] : D) * v);
            if (j) narrow = choose(s - before < narrow, s - before, narrow);
            else s0 = s;
            before = s;
            weighed += (j + 1) * fold(s);
        }
        t->bad |= (s0 < B) | (s0 <= v) | (narrow <= 0);
        lowest(&t->first, s0 - v, at);
        lowest(&t->gap, narrow, at);
        lowest(&t->top, before, at);
        lowest(&t->most, -before, at);
        lowest(&t->bottom_up, s0, at);
        lowest(&t->near, choose(v < B - 1, s0 - before, every(INT64_MAX)), at);
        const lanes where = (before < t->inside.value) | ((before == t->inside.value) & (s0 < t->inside_first));
        t->inside.value = choose(where, before, t->inside.value);
        t->inside.rank = choose(where, at, t->inside.rank);
        t->inside_first = choose(where, s0, t->inside_first);
        weighed = fold(fold(weighed + fold(fold(before)) * factor));
        digest += live & fold(weighed * (place + weight));
    }
    t->digest = fold(t->digest + digest);
    t->orbits += (uint64_t)(to - from + 1);
}

/* Orbits of Category 2 or 3 that share c[0..n-2], the last column from..to, all above c[n-2] and without a sentinel;
 * the paper's factors. Every column without a sentinel is shifted, one after the other: the largest id is the last one
 * shifted, the smallest is the column itself, or x_1 < 0 in Category 3. There l~_j = a_j + K_j, K_j the part that comes
 * from x_1 alone. All of it grows with the last id, which the lanes check; so Category 3 is tightest, everywhere, at
 * its first orbit and Category 2 at its last, and that one is left to `general`. */
INLINE void same_prefix(const params *p, result *r, stretch *t, const int n, num *c, num from, num to, uint64_t rank,
                        const wide *sizes) {
    const int third = c[0] < p->sentinels;
    const num B = p->B, P = (num)p->P, own = third ? 1 : 1 - B, v_tight = p->ids[third ? from : to];
    const uint64_t G = residue(p->G);
    num x[MOST_TOKENS], tight[MOST_TOKENS], before_tight = v_tight;
    wide K = 0;
    uint64_t constant = 0, weights = 0;
    int m = 0, good = 1; /* the first m columns have sentinels */
    for (int j = 0; j < n; j++) {
        x[j] = j < n - 1 ? p->ids[c[j]] : v_tight;
        if (x[j] < 0) {
            constant += (uint64_t)(j + 1) * residue(x[j] + p->G * x[0]);
            m = j + 1;
            tight[j] = 0;
            continue;
        }
        if (j == m || x[j] != x[j - 1]) {
            before_tight = own * x[j] + B * before_tight;
            const wide next = third ? B * (K - x[0]) : 0;
            good &= !third || next - K >= P;
            K = next;
        }
        tight[j] = before_tight;
        constant += (uint64_t)(j + 1) * residue(K);
        weights += (uint64_t)(j + 1);
    }
    const uint64_t factor = folded(weights * G);
    constant = folded(constant + folded(factor * residue(K)));
    if (!good) irregular(r, rank);

    if (third) { c[n - 1] = from; general(p, r, n, c, rank, sizes); }
    const num first = from + third, last = to - !third;
    const num weight = (num)((rank + 1) % MODULUS);
    lanes digest = {0};
    for (num k = first; k <= last; k += LANES) {
        const num begin = k + LANES <= p->columns ? k : p->columns - LANES;
        const lanes place = ORDINAL + (begin - from), live = (place >= k - from) & (place <= last - from);
        lanes v;
        __builtin_memcpy(&v, p->ids + begin, sizeof v);
        v = choose(live, v, every(p->ids[k]));
        lanes before = v, a = v, weighed = every((num)constant);
        for (int j = 0; j < n; j++) {
            if (j < m) continue;
            if (j == n - 1 || j == m || x[j] != x[j - 1]) {
                a = own * (j < n - 1 ? every(x[j]) : v) + B * before;
                if (third) t->bad |= (a < tight[j]) | (a >= P);
                else t->bad |= (a > tight[j]) | (a < B) | (a <= before);
                before = a;
            }
            weighed += (j + 1) * fold(a);
        }
        if (!third) t->bad |= a >= before_tight;
        weighed = fold(fold(weighed + fold(fold(a)) * (num)factor));
        digest += live & fold(weighed * (place + weight));
    }
    t->digest = fold(t->digest + digest);
    const uint64_t others = (uint64_t)(to - from);
    c[n - 1] = to;
    r->orbits[third ? 2 : 1] += others;
    r->matrices[third ? 2 : 1] += (n <= FIXED ? sizes[repeats(c, n)] : arrangements(c, n)) * others;
    if (third) r->mixed += others;
    else { r->reduced += others; general(p, r, n, c, rank + others, sizes); }
}

static int lane_of(const extreme *e) { /* of the lowest value, the first */
    int best = 0;
    for (int i = 1; i < LANES; i++)
        if (e->value[i] < e->value[best] || (e->value[i] == e->value[best] && e->rank[i] < e->rank[best])) best = i;
    return best;
}

static void gather(result *r, enum slot slot, wide plus, const extreme *e) {
    const int i = lane_of(e);
    if (e->value[i] != INT64_MAX) weigh(r, slot, plus + e->value[i], (uint64_t)e->rank[i]);
}

static void begin(const params *p, stretch *t) {
    extreme *const all[] = {&t->first, &t->gap, &t->top, &t->bottom_up, &t->most, &t->near, &t->inside};
    *t = (stretch){0};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) all[i]->value = every(INT64_MAX);
    t->inside_first = every(INT64_MAX);
    t->powers[0] = 1;
    for (int j = 1; j <= p->n && p->fast; j++) t->powers[j] = t->powers[j - 1] * p->B;
}

/* What the lanes found. q_j = l~_j + P l~_n with 0 <= l~_j < P: so the least q is of the least l~_n, and of equal ones
 * of the least l~_1; and q_n = (P + 1) l~_n is largest where l~_n is. */
static void collect(const params *p, result *r, const stretch *t, uint64_t begun) {
    int best = 0, bad = 0;
    for (int i = 0; i < LANES; i++) {
        bad |= t->bad[i] != 0;
        r->digest = (r->digest + (uint64_t)t->digest[i]) % MODULUS;
    }
    if (bad) irregular(r, begun);
    if (!t->orbits) return;
    for (int i = 1; i < LANES; i++) {
        const num v = t->inside.value[i], w = t->inside.value[best];
        const num f = t->inside_first[i], g = t->inside_first[best];
        if (v < w || (v == w && (f < g || (f == g && t->inside.rank[i] < t->inside.rank[best])))) best = i;
    }
    const wide most = -(wide)t->most.value[lane_of(&t->most)], least = t->top.value[lane_of(&t->top)];
    const wide low = p->P * t->inside.value[best] + t->inside_first[best] - p->t_l, high = p->t_r - (p->P + 1) * most;
    const wide bottom = t->bottom_up.value[lane_of(&t->bottom_up)];
    if (least < p->lower || most > p->upper || bottom < 0 || most >= p->P || low < 0 || high <= 0)
        irregular(r, begun);
    r->orbits[0] += t->orbits;
    r->matrices[0] += factorial((int)p->n) * t->orbits;
    gather(r, FIRST_SHIFT, 0, &t->first);
    gather(r, ORDER, 0, &t->gap);
    gather(r, DISTINCT, 0, &t->gap);
    gather(r, LOWER, -p->lower, &t->top);
    gather(r, UPPER, p->upper, &t->most);
    gather(r, INTERVAL_LOW, 0, &t->bottom_up);
    gather(r, INTERVAL_HIGH, p->P, &t->most);
    gather(r, NEAREST, p->P + 1, &t->near);
    weigh(r, INSIDE_LOW, low, (uint64_t)t->inside.rank[best]);
    weigh(r, INSIDE_HIGH, high, (uint64_t)t->most.rank[lane_of(&t->most)]);
}

INLINE void walk(const params *p, result *r, stretch *t, const int n, num *c, uint64_t rank, uint64_t count) {
    const num last = p->columns - 1;
    const int fast = p->fast && p->columns >= LANES && p->factor == p->B && p->G == p->P && p->t_l <= p->t_r &&
                     p->t_r <= p->final_bound;
    wide sizes[1 << (FIXED - 1)]; /* of an orbit, by which of its neighbours are equal */
    for (int equal = 0; n <= FIXED && equal < 1 << (n - 1); equal++) {
        num like[FIXED] = {0};
        for (int j = 1; j < n; j++) like[j] = like[j - 1] + !(equal >> (j - 1) & 1);
        sizes[equal] = arrangements(like, n);
    }
    while (count) {
        num k = c[n - 1];
        const num to = (uint64_t)(last - k) < count ? last : k + (num)count - 1;
        count -= (uint64_t)(to - k + 1);
        int increasing = c[0] >= p->sentinels;
        for (int j = 1; j < n - 1; j++) increasing &= c[j] > c[j - 1];
        for (; k <= to && (!fast || k == c[n - 2] || k < p->sentinels); k++, rank++) {
            c[n - 1] = k;
            general(p, r, n, c, rank, sizes);
        }
        if (k <= to) {
            if (increasing) last_columns(p, t, n, c, k, to, rank);
            else same_prefix(p, r, t, n, c, k, to, rank, sizes);
            rank += (uint64_t)(to - k + 1);
        }
        c[n - 1] = to + 1;
        if (to < last) return;
        int i = n - 2;
        while (i >= 0 && c[i] == last) i--;
        if (i < 0) return;
        for (const num next = c[i] + 1; i < n; i++) c[i] = next;
    }
}

/* `count` orbits from the orbit c of this rank on; c is left at the next one. (By another name where dispatch.c has the
 * choice between several.) */
#ifndef RUN
#define RUN run
#endif
void RUN(const params *p, result *r, num *c, uint64_t rank, uint64_t count) {
    stretch t;
    begin(p, &t);
    switch (p->n) {
    case 2: walk(p, r, &t, 2, c, rank, count); break;
    case 3: walk(p, r, &t, 3, c, rank, count); break;
    case 4: walk(p, r, &t, 4, c, rank, count); break;
    case 5: walk(p, r, &t, 5, c, rank, count); break;
    default: walk(p, r, &t, (int)p->n, c, rank, count);
    }
    collect(p, r, &t, rank);
}
