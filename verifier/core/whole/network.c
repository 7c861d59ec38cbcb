/* A plan (plan.py) on one matrix, in numbers that are as wide as the bounds of each op ask for, and no wider. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* The words of a program: how many ops, where each begins, and the ops. A table or vector is given by the place of its
 * first constant. */
enum { ATTENTION = 1, FEED_FORWARD = 2, SEARCH = 3 };
enum { KIND = 0 };
enum { AT_Q = 1, Q_BITS, ADDED_BITS, HEADS, FIRST_HEAD };
enum { SIZE = 0, AT_W_K, AT_W_Q, AT_B_Q, AT_W_V, AT_W_O, K_BITS, QUERY_BITS, BIAS_BITS, HEAD_WORDS };
enum { FF_Q = 1, LINEAR_BITS, CONSTANT_BITS, FF_B_2, MOVES_ALL, NODES, FIRST_NODE };
enum { WORDS = 0, FF_W_1, FF_B_1, FF_BREAKS, BREAKS, FIRST_BREAK };
enum { SEARCH_W_1 = 1, READS_BITS, MEETS_BITS, LOW, HIGH, MEMBERS, FIRST_MEMBER };

enum { NOTHING = 0, CHANGES = 1, EVERYTHING = 2 }; /* what is kept of the run */

#define IMPOSSIBLE (INT64_MAX / 2)

typedef struct {
    const int64_t *program, *constants;
    int64_t limbs, d, n, means; /* of a constant; lcm(1, ..., n), or 0 where that is too large */
    int64_t keep;
    int64_t *record, most_kept, kept, full;
    int64_t X, S; /* every |x| <= 2^X, and s <= 2^S */
    int64_t *state; /* limbs of a number; s; the entries, row by row */
    int64_t m; /* of the largest head */
    int64_t count, wanted, narrower;
    void *room;
} machine;

INLINE int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* A number of bits that holds every number that the op meets: plan.py's `growth`. */
static int64_t needs(const machine *c, const int64_t *op) {
    const int64_t X = c->X, S = c->S;
    if (op[KIND] != ATTENTION) return most(op[2] + X, op[3] + S) + 1;
    int64_t need = most(op[ADDED_BITS] + X + 64 - __builtin_clzll((uint64_t)c->n), op[Q_BITS] + S);
    const int64_t *head = op + FIRST_HEAD;
    for (int64_t h = 0; h < op[HEADS]; h++, head += HEAD_WORDS) {
        const int64_t key = head[K_BITS] + X, query = most(head[QUERY_BITS] + X, head[BIAS_BITS] + S) + 1;
        need = most(need, head[SIZE] == 1 ? most(key, query) : key + query);
    }
    return need;
}

/* A matrix before a layer and behind it; keys, values, a query and a sum of the largest head; and two columns. */
static size_t room(const machine *c, int64_t limbs) {
    return (size_t)(2 * c->d * c->n + 2 * c->m * (c->n + 1) + 2 * c->d) * 8 * (size_t)limbs;
}

INLINE void keep(machine *c, const int64_t *words, int64_t count) {
    if (c->kept + count > c->most_kept) c->full = 1;
    if (c->full) return;
    memcpy(c->record + c->kept, words, (size_t)count * sizeof *words);
    c->kept += count;
}

#define W 1
#include "width.h"
#undef W
#define W 2
#include "width.h"
#undef W
#define W 4
#include "width.h"
#undef W
#define W 8
#include "width.h"
#undef W
#define W 16
#include "width.h"
#undef W

static const int64_t widths[] = {1, 2, 4, 8, 16};
static int64_t (*const runs[])(machine *, int64_t) = {run_1, run_2, run_4, run_8, run_16};
#define WIDTHS ((int64_t)(sizeof widths / sizeof *widths))

/* Runs the ops; the number of the first that was not run: all were where that is how many there are. -1 without
 * memory. */
int64_t run_network(machine *c) {
    int64_t k = 0;
    c->count = c->program[0];
    c->kept = c->full = c->wanted = 0;
    c->room = malloc(room(c, widths[WIDTHS - 1]));
    if (!c->room) return -1;
    while (k < c->count && !c->full) {
        const int64_t need = most(needs(c, c->program + c->program[1 + k]), most(c->wanted, most(c->X, c->S) + 1));
        int64_t width = 0;
        while (width < WIDTHS && 64 * widths[width] - 1 < need) width++;
        if (width == WIDTHS) break;
        c->narrower = width ? 64 * widths[width - 1] - 1 : -1;
        c->wanted = 0;
        k = runs[width](c, k);
    }
    free(c->room);
    return k;
}

/* One op of the program on `count` matrices (s and the entries of each) in numbers of so many limbs, which plan.py's `growth` has found enough for
 * it; how many were done. -1 without memory. c->record has room for what its heads read of each. */
int64_t run_op(machine *c, int64_t k, int64_t limbs, int64_t count, const void *before, void *after,
               int64_t *changed) {
    const int64_t *op = c->program + c->program[1 + k];
    int64_t done = -1;
    c->kept = c->full = c->wanted = 0;
    c->room = malloc(room(c, limbs));
    if (!c->room) return -1;
    switch (limbs) {
    case 1: done = op_1(c, op, count, before, after, changed); break;
    case 2: done = op_2(c, op, count, before, after, changed); break;
    case 4: done = op_4(c, op, count, before, after, changed); break;
    case 8: done = op_8(c, op, count, before, after, changed); break;
    case 16: done = op_16(c, op, count, before, after, changed); break;
    }
    free(c->room);
    return done;
}
