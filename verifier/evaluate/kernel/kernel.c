/* Lemma 6 over a stretch of the multisets of G+, in whole numbers of delta.
 *
 * A level of the sweep adds B (max - min) to the ids that are at it, the last layer B^(n+1) times the largest id to the
 * positive ones and the smallest to the negative ones. Of every case the ids after the sweep and at the end are computed
 * so, and of every inequality of the claims that accelerate.py names the least slack is kept, with the first case that
 * has it. What isn't as the claims say, an inequality that fails or an equality, makes the stretch irregular, and
 * nothing that is counted of it is used. accelerate.py has computed before that no number leaves 127 bits. */
#include <stdint.h>

typedef __int128 wide;
typedef int64_t num;

#define MOST 64 /* tokens */
#define NONE ((wide)1 << 126)

enum slack { /* in the order of accelerate.py */
    FIRST_SHIFT, ORDER, LOWER, UPPER, ABOVE_OWN, BELOW_OWN, APART, FROM_T_L, TO_T_R, /* Category 1 */
    SWEPT_BELOW, FINAL_BELOW,                                                        /* Category 2 */
    MINIMUM, NEGATIVE, FIRST_AMOUNT, SHIFTED, FINAL_NEGATIVE, FINAL_BEYOND,          /* Category 3 */
    OUTSIDE_LOW, OUTSIDE_HIGH,                                                       /* Categories 2 and 3 */
    SLACKS
};

typedef struct { wide slack; uint64_t rank, known; } least;

typedef struct {
    const num *ids;
    num n, columns, sentinels, B;
    wide lower, upper, P, t_l, t_r, beyond; /* P = B^(n+1) */
} params;

typedef struct { /* counts of cases, of inputs; then of relations that are made in some cases and in others not */
    least least[SLACKS];
    wide inputs[3];
    uint64_t cases[3], constant, negative;
    uint64_t shifts, first, lifted, below_zero, beyond, low, high;
    uint64_t irregular;
} counts;

static inline void weigh(counts *r, enum slack which, wide slack, uint64_t rank) {
    least *e = &r->least[which];
    if (!e->known || slack < e->slack) *e = (least){slack, rank, 1};
}

static inline void outside(const params *p, counts *r, const wide *q, uint64_t rank) { /* at the end that is nearer */
    for (int j = 0; j < p->n; j++) {
        const wide to_low = p->t_l - q[j], to_high = q[j] - p->t_r;
        const int low = -to_low < -to_high;
        r->irregular += low ? to_low <= 0 : to_high < 0;
        if (low) r->low++; else r->high++;
        weigh(r, low ? OUTSIDE_LOW : OUTSIDE_HIGH, low ? to_low : to_high, rank);
    }
}

static inline void category1(const params *p, counts *r, const num *x, const wide *s, const wide *q, uint64_t rank) {
    const int n = (int)p->n;
    const wide B = p->B, top = s[n - 1], own = p->P * top;
    int good = s[0] == x[0] + B * (x[n - 1] - x[0]) && s[0] >= B; /* no later level meets what was shifted */
    for (int j = 0; j < n; j++) {
        wide closed = x[j], power = 1;
        for (int k = 1; k <= j; k++) closed += (power *= B) * (x[j - k] - x[j - k + 1]);
        good &= s[j] == closed + power * B * (x[n - 1] - x[0]) && q[j] == s[j] + own;
        if (j) {
            good &= s[j] > s[j - 1] && q[j] > q[j - 1];
            weigh(r, ORDER, s[j] - s[j - 1], rank);
            weigh(r, APART, q[j] - q[j - 1], rank);
        }
    }
    good &= s[0] > x[n - 1] && top >= p->lower && top <= p->upper; /* the ids are in order: q[0] to q[n-1] */
    good &= q[0] >= own && q[n - 1] < own + p->P && q[0] >= p->t_l && q[n - 1] < p->t_r;
    r->irregular += !good;
    weigh(r, FIRST_SHIFT, s[0] - x[n - 1], rank);
    weigh(r, LOWER, top - p->lower, rank);
    weigh(r, UPPER, p->upper - top, rank);
    weigh(r, ABOVE_OWN, q[0] - own, rank);
    weigh(r, BELOW_OWN, own + p->P - q[n - 1], rank);
    weigh(r, FROM_T_L, q[0] - p->t_l, rank);
    weigh(r, TO_T_R, p->t_r - q[n - 1], rank);
}

static inline void category2(const params *p, counts *r, const num *x, const wide *s, const wide *q, uint64_t rank) {
    const int n = (int)p->n, constant = x[0] == x[n - 1];
    wide most = s[0], high = q[0], alone = x[n - 1];
    int good = 1;
    for (int j = 0; j < n; j++) {
        /* the distinct columns alone, one after the other: each is lifted by B (the one before, less itself) */
        if (!j || x[j] != x[j - 1]) alone = x[j] + p->B * (alone - x[j]);
        good &= s[j] == (constant ? x[j] : alone) && (constant || s[j] >= p->B);
        if (s[j] > most) most = s[j];
        if (q[j] > high) high = q[j];
    }
    r->irregular += !good || most > p->lower - 1 || high >= p->t_l;
    r->constant += constant;
    weigh(r, SWEPT_BELOW, p->lower - 1 - most, rank);
    weigh(r, FINAL_BELOW, p->t_l - high, rank);
}

static inline void category3(const params *p, counts *r, const num *x, const wide *s, const wide *q, wide amount,
                             int shifts, uint64_t rank) {
    const int n = (int)p->n;
    wide high = q[0];
    int good = s[0] == x[0];
    num first = 0;
    for (int j = 0; j < n; j++) {
        good &= x[j] < 0 ? s[j] == x[j] : s[j] >= p->P && s[j] >= p->B;
        if (x[j] >= 0) {
            if (!j || x[j - 1] < 0) first = x[j];
            r->first += x[j] == first;
            r->lifted++;
            weigh(r, SHIFTED, s[j] - p->P, rank);
        }
        if (q[j] < p->beyond - q[j]) {
            good &= q[j] < 0;
            r->below_zero++;
            weigh(r, FINAL_NEGATIVE, -q[j], rank);
        } else {
            good &= q[j] >= p->beyond;
            r->beyond++;
            weigh(r, FINAL_BEYOND, q[j] - p->beyond, rank);
        }
        if (q[j] > high) high = q[j];
    }
    r->shifts += (uint64_t)shifts;
    weigh(r, MINIMUM, -(wide)x[0], rank);
    if (x[n - 1] < 0) {
        good &= high < 0;
        r->negative++;
        weigh(r, NEGATIVE, -high, rank);
    } else {
        good &= amount >= p->P;
        weigh(r, FIRST_AMOUNT, amount - p->P, rank);
    }
    r->irregular += !good;
}

static inline void one(const params *p, counts *r, const num *c, uint64_t rank, num **kept) {
    const int n = (int)p->n;
    num x[MOST];
    wide s[MOST], q[MOST], most = 0, least = 0, amount = 0, size = 1;
    int equal = 0, shifts = 0;
    for (int j = 0, same = 0; j < n; j++) {
        x[j] = p->ids[c[j]];
        same = j && c[j] == c[j - 1] ? same + 1 : 1;
        equal |= same > 1;
        size = size * (j + 1) / same; /* n! / (m_1! m_2! ...) */
    }
    for (int j = 0; j < n; j++) { /* the levels that columns are at, upwards */
        if (x[j] < 0) { s[j] = x[j]; continue; }
        if (j && x[j] == x[j - 1]) { s[j] = s[j - 1]; continue; }
        wide top = x[n - 1], bottom = x[0] < 0 ? x[0] : x[j]; /* of the ids that aren't lifted (yet) */
        if (shifts && most > top) top = most;
        if (shifts && least < bottom) bottom = least;
        const wide up = p->B * (top - bottom);
        s[j] = x[j] + up;
        if (!up) continue;
        r->irregular += s[j] < p->B; /* a later level would meet it again */
        if (!shifts) amount = up;
        if (!shifts || s[j] > most) most = s[j];
        if (!shifts || s[j] < least) least = s[j];
        shifts++;
    }
    most = least = s[0];
    for (int j = 1; j < n; j++) {
        if (s[j] > most) most = s[j];
        if (s[j] < least) least = s[j];
    }
    for (int j = 0; j < n; j++) {
        r->irregular += s[j] == 0 && most != least; /* the threshold of the last layer is met */
        q[j] = s[j] + p->P * (s[j] > 0 ? most : s[j] < 0 ? least : 0);
    }
    const int category = c[0] < p->sentinels ? 3 : equal ? 2 : 1;
    r->cases[category - 1]++;
    r->inputs[category - 1] += size;
    if (category == 1) {
        category1(p, r, x, s, q, rank);
        if (*kept) { /* for `across`: the rank, and the ids after the sweep */
            *(*kept)++ = (num)rank;
            for (int j = 0; j < n; j++) *(*kept)++ = (num)s[j];
        }
        return;
    }
    if (category == 2) category2(p, r, x, s, q, rank);
    else category3(p, r, x, s, q, amount, shifts, rank);
    outside(p, r, q, rank);
}

/* The cases from `rank` on, so many of them; c is the first one's columns. */
void run(const params *p, counts *r, num *c, uint64_t rank, uint64_t many, num *kept) {
    const int n = (int)p->n;
    for (; many && !r->irregular; many--, rank++) {
        one(p, r, c, rank, &kept);
        int i = n - 1;
        while (i >= 0 && c[i] == p->columns - 1) i--;
        if (i < 0) return;
        for (const num next = c[i] + 1; i < n; i++) c[i] = next;
    }
}
