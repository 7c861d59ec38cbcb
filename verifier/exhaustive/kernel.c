/* The claims of Lemma 6 over a stretch of the orbits of G+, in whole numbers of delta.
 *
 * The layers have the form that proofs/FORMAT.md, 4 gives them (Lemmas H, S, P): a level that columns occupy adds
 * factor (max - min) to them, the global shift adds G max to the positive ids and G min to the negative ones. Every
 * inequality of every claim is weighed on every orbit, and the tightest kept with its first rank. Whatever is not as
 * the paper claims it, an equality that fails or an inequality, makes the orbit *irregular*: it is counted, and the
 * caller asks the literal network. kernel.py has computed beforehand that no number leaves its width.
 *
 * `general` takes any orbit, in 128 bits. The inner loop of `run` takes the orbits of Category 1 that share all but
 * the last column, in 64 bits where these are enough; it is compared with `general` in the tests. */
#include <stdint.h>

typedef __int128 wide;
typedef int64_t num;

#define MOST_TOKENS 64
#define MODULUS 2147483647LL

enum slot {
    FIRST_SHIFT, ORDER, LOWER, UPPER, INTERVAL_LOW, INTERVAL_HIGH, DISTINCT, INSIDE_LOW, INSIDE_HIGH, /* Category 1 */
    NEAREST,                                                  /* of an entry to the next context's; see engine.py */
    CAT2_IDS, CAT2_VALUES, OUTSIDE_LOW, OUTSIDE_HIGH,                                         /* Categories 2 and 3 */
    MINIMUM, NEGATIVE, FIRST_AMOUNT, SHIFTED_IDS, FINAL_NEGATIVE, FINAL_POSITIVE,                     /* Category 3 */
    SLOTS
};

typedef struct { wide slack; uint64_t rank; uint64_t known; } edge;

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

static inline void weigh(result *r, enum slot slot, wide slack, uint64_t rank) {
    edge *e = &r->tightest[slot];
    if (!e->known || slack < e->slack) { e->slack = slack; e->rank = rank; e->known = 1; }
}

static inline uint64_t residue(wide v) {
    v %= MODULUS;
    return (uint64_t)(v < 0 ? v + MODULUS : v);
}

static inline uint64_t folded(uint64_t v) { /* v mod 2^31 - 1, up to one MODULUS too large */
    v = (v & MODULUS) + (v >> 31);
    return (v & MODULUS) + (v >> 31);
}

static void irregular(result *r, uint64_t rank) {
    if (!r->irregular++) r->first_irregular = rank;
}

static wide arrangements(const num *c, int n) { /* n! / (m_1! m_2! ...) */
    wide size = 1;
    for (int j = 0, same = 0; j < n; j++) {
        same = j && c[j] == c[j - 1] ? same + 1 : 1;
        size = size * (j + 1) / same;
    }
    return size;
}

static void category1(const params *p, result *r, const num *x, const wide *s, const wide *q, uint64_t rank) {
    const int n = (int)p->n;
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

static void outside(const params *p, result *r, const wide *q, uint64_t rank) {
    for (int j = 0; j < p->n; j++) {
        if (q[j] >= p->t_l && q[j] < p->t_r) irregular(r, rank);
        if (q[j] - p->t_l < p->t_r - q[j]) weigh(r, OUTSIDE_LOW, p->t_l - q[j], rank);
        else weigh(r, OUTSIDE_HIGH, q[j] - p->t_r, rank);
    }
}

static void category2(const params *p, result *r, const num *x, const wide *s, const wide *q, uint64_t rank) {
    const int n = (int)p->n;
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
    outside(p, r, q, rank);
}

static void category3(const params *p, result *r, const num *x, const wide *s, const wide *q, wide amount,
                      uint64_t rank) {
    const int n = (int)p->n;
    int good = x[0] < 0 && s[0] == x[0];
    weigh(r, MINIMUM, -(wide)x[0], rank);
    if (x[n - 1] < 0) {
        wide high = q[0];
        for (int j = 1; j < n; j++) if (q[j] > high) high = q[j];
        good &= high < 0;
        r->negative++;
        weigh(r, NEGATIVE, -high, rank);
    } else {
        good &= amount >= p->P;
        r->mixed++;
        weigh(r, FIRST_AMOUNT, amount - p->P, rank);
    }
    for (int j = 0; j < n; j++) {
        good &= s[j] >= x[0] && (x[j] < 0 ? s[j] == x[j] : s[j] >= p->P && s[j] >= p->B);
        good &= q[j] < 0 || q[j] >= p->final_bound;
        if (x[j] >= 0) weigh(r, SHIFTED_IDS, s[j] - p->P, rank);
        if (q[j] < 0) weigh(r, FINAL_NEGATIVE, -q[j], rank);
        else weigh(r, FINAL_POSITIVE, q[j] - p->final_bound, rank);
    }
    if (!good) irregular(r, rank);
    outside(p, r, q, rank);
}

static void general(const params *p, result *r, const num *c, uint64_t rank) {
    const int n = (int)p->n;
    num x[MOST_TOKENS];
    wide s[MOST_TOKENS], q[MOST_TOKENS], most = 0, least = 0, amount = 0;
    int shifted = 0, distinct = 1;
    for (int j = 0; j < n; j++) x[j] = p->ids[c[j]];
    for (int j = 1; j < n; j++) distinct &= c[j] != c[j - 1];
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
        q[j] = s[j] + p->G * (s[j] > 0 ? most : s[j] < 0 ? least : 0);
        weighed += (uint64_t)(j + 1) * residue(q[j]);
    }
    r->digest = (r->digest + weighed % MODULUS * ((rank + 1) % MODULUS)) % MODULUS;
    const int category = c[0] < p->sentinels ? 3 : distinct ? 1 : 2;
    r->orbits[category - 1]++;
    r->matrices[category - 1] += arrangements(c, n);
    if (category == 1) category1(p, r, x, s, q, rank);
    else if (category == 2) category2(p, r, x, s, q, rank);
    else category3(p, r, x, s, q, amount, rank);
}

/* Orbits of Category 1 that share c[0..n-2], the last column from..to, all above c[n-2]; the paper's factors. */
static void last_columns(const params *p, result *r, const num *c, num from, num to, uint64_t rank) {
    const int n = (int)p->n;
    const num B = p->B;
    num x[MOST_TOKENS], C[MOST_TOKENS], D[MOST_TOKENS]; /* closed form: l~_j = C_j + D_j v, v the last id */
    for (int j = 0; j < n - 1; j++) x[j] = p->ids[c[j]];
    for (int j = 0; j < n; j++) {
        num sum = j < n - 1 ? x[j] : 0, slope = j < n - 1 ? 0 : 1, power = 1;
        for (int k = 1; k <= j; k++) {
            power *= B;
            sum += power * x[j - k];
            if (j - k + 1 < n - 1) sum -= power * x[j - k + 1]; else slope -= power;
        }
        C[j] = sum - power * B * x[0];
        D[j] = slope + power * B;
    }
    const uint64_t P = residue(p->P), triangle = (uint64_t)n * (n + 1) / 2;
    num first = INT64_MAX, gap = INT64_MAX, least = INT64_MAX, most = INT64_MIN, bottom = INT64_MAX, near = INT64_MAX;
    uint64_t at_first = 0, at_gap = 0, at_least = 0, at_most = 0, at_bottom = 0, at_near = 0, digest = 0;
    num bad = 0;
    const uint64_t begun = rank;
    for (num k = from; k <= to; k++, rank++) {
        const num v = p->ids[k];
        num before = v, narrow = INT64_MAX, s0 = 0;
        uint64_t weighed = 0;
        for (int j = 0; j < n; j++) {
            const num x_j = j < n - 1 ? x[j] : v;
            const num s = x_j + p->factor * (before - x_j); /* max is the last one shifted, min is x_j */
            bad |= s ^ (C[j] + D[j] * v);
            if (!j) s0 = s;
            else if (s - before < narrow) narrow = s - before;
            before = s;
            weighed += (uint64_t)(j + 1) * folded((uint64_t)s);
        }
        bad |= (s0 < B) | (s0 <= v) | (narrow <= 0);
        if (s0 - v < first) { first = s0 - v; at_first = rank; }
        if (narrow < gap) { gap = narrow; at_gap = rank; }
        if (before < least) { least = before; at_least = rank; }
        if (before > most) { most = before; at_most = rank; }
        if (s0 < bottom) { bottom = s0; at_bottom = rank; }
        if (v < B - 1 && s0 - before < near) { near = s0 - before; at_near = rank; }
        const wide low = p->P * before + s0 - p->t_l, high = p->t_r - p->P * before - before;
        bad |= (low < 0) | (high <= 0);
        weigh(r, INSIDE_LOW, low, rank);
        weigh(r, INSIDE_HIGH, high, rank);
        weighed += folded(folded((uint64_t)before) * P) * triangle;
        digest = (digest + folded(weighed) * (uint64_t)((rank + 1) % MODULUS)) % MODULUS;
    }
    if (bad || least < p->lower || most > p->upper || bottom < 0 || most >= p->P) irregular(r, begun);
    r->orbits[0] += (uint64_t)(to - from + 1);
    r->matrices[0] += arrangements(c, n - 1) * n * (to - from + 1);
    r->digest = (r->digest + digest) % MODULUS;
    weigh(r, FIRST_SHIFT, first, at_first);
    weigh(r, ORDER, gap, at_gap);
    weigh(r, DISTINCT, gap, at_gap);
    weigh(r, LOWER, (wide)least - p->lower, at_least);
    weigh(r, UPPER, p->upper - most, at_most);
    weigh(r, INTERVAL_LOW, bottom, at_bottom);
    weigh(r, INTERVAL_HIGH, p->P - most, at_most);
    if (near != INT64_MAX) weigh(r, NEAREST, p->P + near + 1, at_near);
}

/* `count` orbits from the orbit c of this rank on; c is left at the next one. */
void run(const params *p, result *r, num *c, uint64_t rank, uint64_t count) {
    const int n = (int)p->n;
    const num last = p->columns - 1;
    while (count) {
        num k = c[n - 1];
        const num to = (uint64_t)(last - k) < count ? last : k + (num)count - 1;
        count -= (uint64_t)(to - k + 1);
        int increasing = p->fast && c[0] >= p->sentinels;
        for (int j = 1; j < n - 1; j++) increasing &= c[j] > c[j - 1];
        for (; k <= to && (!increasing || k == c[n - 2]); k++, rank++) { c[n - 1] = k; general(p, r, c, rank); }
        if (k <= to) { last_columns(p, r, c, k, to, rank); rank += (uint64_t)(to - k + 1); }
        c[n - 1] = to + 1;
        if (to < last) return;
        int i = n - 2;
        while (i >= 0 && c[i] == last) i--;
        if (i < 0) return;
        for (const num next = c[i] + 1; i < n; i++) c[i] = next;
    }
}
