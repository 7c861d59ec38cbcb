/* What the quick reading is measured against: the same orbits, written down without thinking of speed beyond the obvious.
 *
 * Every orbit is taken from scratch: its ids, the closed-form recursion of its category, q, and then Lemma 10 and
 * Properties 6.1 to 6.4 are checked and the tightest of each kept with its orbit. Whole numbers in units of delta; ids
 * of Categories 1 and 2 fit 64 bits, the rest is in 128. TOKENS, the paper's n, is given to the compiler.
 *
 *     straightforward d N seconds     prints counts and tightest slacks, and the seconds of the fastest pass */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef __int128 wide;

enum { LOWER, UPPER, INSIDE_LOW, INSIDE_HIGH, OUTSIDE_LOW, OUTSIDE_HIGH, EDGES };
static const char *const names[EDGES] = {"lower", "upper", "inside_low", "inside_high", "outside_low", "outside_high"};

typedef struct { wide slack; int at[TOKENS], known; } tightest;

static int64_t *ids, B, P, lower, upper;
static int columns, sentinels;
static wide t_l, t_r;

static tightest edges[EDGES];
static uint64_t orbits[3], failures;

static inline void weigh(int edge, wide slack, const int *c) {
    tightest *e = &edges[edge];
    if (e->known && slack >= e->slack) return;
    e->slack = slack;
    e->known = 1;
    memcpy(e->at, c, sizeof e->at);
}

static void category1(const int *c) {
    int64_t s[TOKENS], before = ids[c[TOKENS - 1]];
    wide q[TOKENS], low, high;
    for (int j = 0; j < TOKENS; j++) before = s[j] = ids[c[j]] + B * (before - ids[c[j]]);
    const int64_t top = s[TOKENS - 1];
    for (int j = 0; j < TOKENS; j++) q[j] = s[j] + (wide)P * top;
    low = high = q[0];
    for (int j = 1; j < TOKENS; j++) {
        if (q[j] <= q[j - 1]) failures++; /* 6.1 */
        if (q[j] < low) low = q[j];
        if (q[j] > high) high = q[j];
    }
    if (low < (wide)P * top || high >= (wide)P * (top + 1)) failures++; /* 6.2: one interval for each top */
    if (top < lower || top > upper) failures++;
    if (low < t_l || high >= t_r) failures++; /* 6.3 */
    weigh(LOWER, top - lower, c);
    weigh(UPPER, upper - top, c);
    weigh(INSIDE_LOW, low - t_l, c);
    weigh(INSIDE_HIGH, t_r - high, c);
}

static inline void outside(wide q, const int *c) { /* 6.4 */
    if (q >= t_l && q < t_r) failures++;
    if (q < t_l) weigh(OUTSIDE_LOW, t_l - q, c);
    else weigh(OUTSIDE_HIGH, q - t_r, c);
}

static void category2(const int *c) {
    int64_t s[TOKENS], before = ids[c[TOKENS - 1]], most = 0;
    for (int j = 0; j < TOKENS; j++) {
        if (!j || c[j] != c[j - 1]) before = ids[c[j]] + B * (before - ids[c[j]]);
        s[j] = before;
        if (before > most) most = before;
    }
    for (int j = 0; j < TOKENS; j++) outside(s[j] + (wide)P * most, c);
}

static void category3(const int *c) {
    const int64_t least = ids[c[0]], last = ids[c[TOKENS - 1]];
    wide s[TOKENS], most = last;
    for (int j = 0; j < TOKENS; j++) {
        const int64_t x = ids[c[j]];
        s[j] = x < 0 ? x : j && c[j] == c[j - 1] ? s[j - 1] : x + B * (most - least);
        if (s[j] > most) most = s[j];
    }
    for (int j = 0; j < TOKENS; j++) outside(s[j] + P * (s[j] < 0 ? (wide)least : most), c);
}

static void pass(void) {
    int c[TOKENS] = {0};
    memset(edges, 0, sizeof edges);
    memset(orbits, 0, sizeof orbits);
    for (;;) {
        int distinct = 1, i = TOKENS - 1;
        for (int j = 1; j < TOKENS; j++) distinct &= c[j] != c[j - 1];
        if (c[0] < sentinels) { orbits[2]++; category3(c); }
        else if (distinct) { orbits[0]++; category1(c); }
        else { orbits[1]++; category2(c); }
        while (i >= 0 && c[i] == columns - 1) i--;
        if (i < 0) return;
        for (const int next = c[i] + 1; i < TOKENS; i++) c[i] = next;
    }
}

static int by_id(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t power(int64_t base, int exponent) {
    int64_t result = 1;
    while (exponent--) result *= base;
    return result;
}

static void columns_of(int d, int N) { /* the ids of all columns over {sentinel, 0, ..., N-1}, sorted */
    columns = (int)power(N + 1, d);
    ids = malloc((size_t)columns * sizeof *ids);
    if (!ids) exit(3);
    for (int k = 0; k < columns; k++) {
        ids[k] = 0;
        for (int row = 0, left = k; row < d; row++, left /= N + 1)
            ids[k] += power(N, row) * (left % (N + 1) ? left % (N + 1) - 1 : -N * power(B, TOKENS));
    }
    qsort(ids, (size_t)columns, sizeof *ids, by_id);
    while (sentinels < columns && ids[sentinels] < 0) sentinels++;
}

static void print(wide value) {
    char digits[48] = {0}, *at = digits + sizeof digits - 1;
    const int negative = value < 0;
    do *--at = (char)('0' + (int)(negative ? -(value % 10) : value % 10)); while (value /= 10);
    if (negative) *--at = '-';
    printf("%s", at);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const int d = atoi(argv[1]), N = atoi(argv[2]);
    B = power(N, d);
    P = power(B, TOKENS + 1);
    lower = power(B, TOKENS - 1) * (B - 1);
    upper = power(B, TOKENS) * (B - 1) - (B - 1) * (B - 1);
    t_l = (wide)power(B, TOKENS) * power(B, TOKENS) * (B - 1);
    t_r = t_l * B;
    columns_of(d, N);
    double fastest = 0;
    const double begun = now();
    do {
        const double start = now();
        pass();
        const double taken = now() - start;
        if (fastest == 0 || taken < fastest) fastest = taken;
    } while (now() - begun < atof(argv[3]));
    printf("{\"seconds\": %.9f, \"failures\": %llu", fastest, (unsigned long long)failures);
    for (int k = 0; k < 3; k++) printf(", \"category%d\": %llu", k + 1, (unsigned long long)orbits[k]);
    for (int e = 0; e < EDGES; e++) {
        printf(", \"%s\": ", names[e]);
        if (edges[e].known) print(edges[e].slack); else printf("null");
    }
    printf("}\n");
    return 0;
}
