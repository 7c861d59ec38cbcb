/* What network.c does with a plan, in numbers of W limbs of 64 bits, two's complement. Included once for each W.
 *
 * Sums and products are taken modulo 2^(64 W). Before each op `needs` bounds every number that it will meet, so that
 * none of them wraps: otherwise the op is left to a wider W. */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define F(name) JOIN(name, W)

#if W == 1
typedef int64_t F(num);
#define ADD(a, b) ((num)((uint64_t)(a) + (uint64_t)(b)))
#define MUL(a, b) ((num)((uint64_t)(a) * (uint64_t)(b)))
#define LESS(a, b) ((a) < (b))
#define SAME(a, b) ((a) == (b))
#define ZERO 0
#define ONE 1
#elif W == 2
typedef __int128 F(num);
#define ADD(a, b) ((num)((unsigned __int128)(a) + (unsigned __int128)(b)))
#define MUL(a, b) ((num)((unsigned __int128)(a) * (unsigned __int128)(b)))
#define LESS(a, b) ((a) < (b))
#define SAME(a, b) ((a) == (b))
#define ZERO 0
#define ONE 1
#else
typedef struct { uint64_t a[W]; } F(num);
INLINE F(num) F(add)(F(num) x, F(num) y) {
    F(num) z;
    unsigned __int128 carry = 0;
    for (int i = 0; i < W; i++) {
        carry += (unsigned __int128)x.a[i] + y.a[i];
        z.a[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return z;
}
INLINE F(num) F(mul)(F(num) x, F(num) y) {
    F(num) z = {{0}};
    for (int i = 0; i < W; i++) {
        uint64_t carry = 0;
        if (!x.a[i]) continue;
        for (int j = 0; i + j < W; j++) {
            const unsigned __int128 t = (unsigned __int128)x.a[i] * y.a[j] + z.a[i + j] + carry;
            z.a[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
    }
    return z;
}
INLINE int F(less)(F(num) x, F(num) y) {
    if (x.a[W - 1] != y.a[W - 1]) return (int64_t)x.a[W - 1] < (int64_t)y.a[W - 1];
    for (int i = W - 2; i >= 0; i--)
        if (x.a[i] != y.a[i]) return x.a[i] < y.a[i];
    return 0;
}
INLINE int F(same)(F(num) x, F(num) y) {
    uint64_t other = 0;
    for (int i = 0; i < W; i++) other |= x.a[i] ^ y.a[i];
    return !other;
}
#define ADD(a, b) F(add)(a, b)
#define MUL(a, b) F(mul)(a, b)
#define LESS(a, b) F(less)(a, b)
#define SAME(a, b) F(same)(a, b)
#define ZERO ((num){{0}})
#define ONE ((num){{1}})
#endif
#define num F(num)

INLINE num F(from_limbs)(const int64_t *limbs, int64_t count) {
    num z;
#if W == 1
    (void)count;
    z = limbs[0];
#elif W == 2
    z = count > 1 ? (__int128)(((unsigned __int128)(uint64_t)limbs[1] << 64) | (uint64_t)limbs[0]) : (__int128)limbs[0];
#else
    const uint64_t sign = limbs[count - 1] < 0 ? ~(uint64_t)0 : 0;
    for (int i = 0; i < W; i++) z.a[i] = i < count ? (uint64_t)limbs[i] : sign;
#endif
    return z;
}
INLINE void F(to_limbs)(int64_t *limbs, num z) {
#if W == 1
    limbs[0] = z;
#elif W == 2
    limbs[0] = (int64_t)(uint64_t)z;
    limbs[1] = (int64_t)(z >> 64);
#else
    for (int i = 0; i < W; i++) limbs[i] = (int64_t)z.a[i];
#endif
}
INLINE num F(constant)(const machine *c, int64_t place) {
    return F(from_limbs)(c->constants + place * c->limbs, c->limbs);
}

/* The bits of the largest |x|: every |x| <= 2^bits. */
INLINE int64_t F(bits)(const num *x, int64_t count) {
    int64_t limbs[W];
    uint64_t all[W];
    for (int i = 0; i < W; i++) all[i] = 0;
    for (int64_t k = 0; k < count; k++) {
        F(to_limbs)(limbs, x[k]);
        const uint64_t sign = limbs[W - 1] < 0 ? ~(uint64_t)0 : 0;
        for (int i = 0; i < W; i++) all[i] |= (uint64_t)limbs[i] ^ sign;
    }
    for (int i = W - 1; i >= 0; i--)
        if (all[i]) return 64 * i + 64 - __builtin_clzll(all[i]);
    return 0;
}

/* x / k, if that is whole; x is left as it is otherwise. */
INLINE int F(divide)(num *x, int64_t k) {
#if W <= 2
    if (*x % k) return 0;
    *x /= k;
    return 1;
#else
    num z = *x;
    const int negative = (int64_t)z.a[W - 1] < 0;
    uint64_t rest = 0;
    if (negative) {
        for (int i = 0; i < W; i++) z.a[i] = ~z.a[i];
        z = ADD(z, ONE);
    }
    for (int i = W - 1; i >= 0; i--) {
        const unsigned __int128 t = ((unsigned __int128)rest << 64) | z.a[i];
        z.a[i] = (uint64_t)(t / (uint64_t)k);
        rest = (uint64_t)(t % (uint64_t)k);
    }
    if (rest) return 0;
    if (negative) {
        for (int i = 0; i < W; i++) z.a[i] = ~z.a[i];
        z = ADD(z, ONE);
    }
    *x = z;
    return 1;
#endif
}

/* The row of a table at `place` times a column of x. */
INLINE num F(row)(const machine *c, int64_t place, const num *x, int64_t j) {
    num total = MUL(F(constant)(c, place), x[j]);
    for (int64_t i = 1; i < c->d; i++) total = ADD(total, MUL(F(constant)(c, place + i), x[i * c->n + j]));
    return total;
}

INLINE void F(keep_number)(machine *c, num x) {
    int64_t limbs[W];
    F(to_limbs)(limbs, x);
    keep(c, limbs, W);
}

/* What the arg maxima of a column hold, together, and how many they are. */
typedef struct { num total; int64_t winners; } F(held);

/* Of a head of size one: a score is key times query, so that the query's sign alone says which keys win. */
INLINE void F(winners)(const machine *c, const int64_t *head, const num *x, F(held) *most, F(held) *least,
                       F(held) *all) {
    num top = ZERO, bottom = ZERO;
    for (int64_t k = 0; k < c->n; k++) {
        const num key = F(row)(c, head[AT_W_K], x, k), value = F(row)(c, head[AT_W_V], x, k);
        all->total = k ? ADD(all->total, value) : value;
        if (!k || LESS(top, key)) {
            top = key;
            *most = (F(held)){value, 1};
        } else if (SAME(top, key)) {
            *most = (F(held)){ADD(most->total, value), most->winners + 1};
        }
        if (!k || LESS(key, bottom)) {
            bottom = key;
            *least = (F(held)){value, 1};
        } else if (SAME(bottom, key)) {
            *least = (F(held)){ADD(least->total, value), least->winners + 1};
        }
    }
    all->winners = c->n;
}

/* A head's reads for column j are added to it; 0 where a mean needs a denominator. */
INLINE int F(add_read)(machine *c, const int64_t *head, const num *total, int64_t winners, num *y, int64_t j) {
    const int64_t d = c->d, n = c->n, m = head[SIZE];
    if (c->keep == EVERYTHING) {
        if (c->kept + 1 + m * W > c->most_kept) c->full = 1;
        if (!c->full) {
            int64_t *const words = c->record + c->kept;
            words[0] = winners;
            for (int64_t r = 0; r < m; r++) F(to_limbs)(words + 1 + r * W, total[r]);
            c->kept += 1 + m * W;
        }
    }
    for (int64_t i = 0; i < d; i++) {
        num added = MUL(F(constant)(c, head[AT_W_O] + i * m), total[0]);
        for (int64_t r = 1; r < m; r++) added = ADD(added, MUL(F(constant)(c, head[AT_W_O] + i * m + r), total[r]));
        if (winners > 1 && !F(divide)(&added, winners)) return 0;
        y[i * n + j] = ADD(y[i * n + j], added);
    }
    return 1;
}

/* One attention layer: y over q s, and CHANGED, where its heads together add anything; y = x over s where they don't.
 * DIVIDES where a mean needs a denominator. */
enum { F(DIVIDES), F(LEFT), F(CHANGED) };
static int F(attend)(machine *c, const int64_t *op, const num *x, num s, num *y, num *room) {
    const int64_t d = c->d, n = c->n, heads = op[HEADS];
    for (int64_t i = 0; i < d * n; i++) y[i] = ZERO;
    const int64_t *head = op + FIRST_HEAD;
    for (int64_t h = 0; h < heads; h++, head += HEAD_WORDS) {
        const int64_t m = head[SIZE];
        if (m == 1) {
            F(held) most, least, all;
            F(winners)(c, head, x, &most, &least, &all);
            const num bias = MUL(F(constant)(c, head[AT_B_Q]), s);
            for (int64_t j = 0; j < n; j++) {
                const num query = ADD(F(row)(c, head[AT_W_Q], x, j), bias);
                const F(held) *const read = LESS(ZERO, query) ? &most : LESS(query, ZERO) ? &least : &all;
                if (!F(add_read)(c, head, &read->total, read->winners, y, j)) return F(DIVIDES);
            }
            continue;
        }
        num *const keys = room, *const values = room + m * n, *const query = values + m * n, *const total = query + m;
        for (int64_t r = 0; r < m; r++)
            for (int64_t j = 0; j < n; j++) {
                keys[r * n + j] = F(row)(c, head[AT_W_K] + r * d, x, j);
                values[r * n + j] = F(row)(c, head[AT_W_V] + r * d, x, j);
            }
        for (int64_t j = 0; j < n; j++) {
            for (int64_t r = 0; r < m; r++)
                query[r] = ADD(F(row)(c, head[AT_W_Q] + r * d, x, j), MUL(F(constant)(c, head[AT_B_Q] + r), s));
            num top = ZERO;
            int64_t winners = 0;
            for (int64_t k = 0; k < n; k++) {
                num score = MUL(keys[k], query[0]);
                for (int64_t r = 1; r < m; r++) score = ADD(score, MUL(keys[r * n + k], query[r]));
                if (!winners || LESS(top, score)) {
                    top = score;
                    winners = 1;
                    for (int64_t r = 0; r < m; r++) total[r] = values[r * n + k];
                } else if (SAME(top, score)) {
                    winners++;
                    for (int64_t r = 0; r < m; r++) total[r] = ADD(total[r], values[r * n + k]);
                }
            }
            if (!F(add_read)(c, head, total, winners, y, j)) return F(DIVIDES);
        }
    }
    int changed = 0;
    for (int64_t i = 0; i < d * n && !changed; i++) changed = !SAME(y[i], ZERO);
    if (!changed) {
        memcpy(y, x, (size_t)(d * n) * sizeof(num));
        return F(LEFT);
    }
    const num q = F(constant)(c, op[AT_Q]);
    for (int64_t i = 0; i < d * n; i++) y[i] = ADD(y[i], MUL(q, x[i]));
    return F(CHANGED);
}

/* What a token-wise layer makes of column j, in place; whether it changed. `room` holds a column. */
static int F(token)(const machine *c, const int64_t *op, num *x, num s, int64_t j, num *room) {
    const int64_t d = c->d, n = c->n;
    int changed = op[MOVES_ALL] != 0;
    const int64_t *node = op + FIRST_NODE;
    for (int64_t i = 0; i < d; i++)
        room[i] = changed ? ADD(MUL(F(constant)(c, op[FF_Q]), x[i * n + j]), MUL(F(constant)(c, op[FF_B_2] + i), s))
                          : x[i * n + j];
    for (int64_t r = 0; r < op[NODES]; r++, node += node[WORDS]) {
        const int64_t breaks = node[BREAKS], *left = node + FIRST_BREAK, *piece = left + breaks;
        const num t = ADD(F(row)(c, node[FF_W_1], x, j), MUL(F(constant)(c, node[FF_B_1]), s));
        int64_t place = 0;
        for (; place < breaks; place++) {
            const num at = MUL(F(constant)(c, node[FF_BREAKS] + place), s);
            if (LESS(t, at) || (left[place] && SAME(t, at))) break;
        }
        const int64_t G = piece[2 * place], h = piece[2 * place + 1];
        if (G < 0) continue;
        changed = 1;
        for (int64_t i = 0; i < d; i++)
            room[i] = ADD(room[i], ADD(F(row)(c, G + i * d, x, j), MUL(F(constant)(c, h + i), s)));
    }
    for (int64_t i = 0; changed && i < d; i++) x[i * n + j] = room[i];
    return changed;
}

/* The first member from `from` on whose interval t is in, or how many there are. */
static int64_t F(next)(const machine *c, const int64_t *op, num t, num s, int64_t from) {
    const int64_t count = op[MEMBERS], *order = op + FIRST_MEMBER;
    int64_t below = 0, above = count, found = count;
    while (below < above) { /* the first interval that begins beyond t */
        const int64_t middle = below + (above - below) / 2;
        if (LESS(t, MUL(F(constant)(c, op[LOW] + middle), s))) above = middle;
        else below = middle + 1;
    }
    for (int64_t k = below - 1; k >= 0 && !LESS(MUL(F(constant)(c, op[HIGH] + k), s), t); k--)
        if (order[k] >= from && order[k] < found) found = order[k];
    return found;
}

/* What a search has found so far: of each member s and the column that came to it first, and what became of that. */
typedef struct {
    num *met, *became; /* 1 + d numbers, and d, for each member */
    char *known;
    int64_t *path; /* the members on the way of the column at hand */
} F(memory);

/* A search, column by column; 0 where a member needs wider numbers, and then x is as it was. A column that comes to a
 * member as another one did before goes on as that one did. */
static int F(search)(machine *c, const int64_t *op, num *x, num s, num *before, num *room, int *changed,
                     const F(memory) *memory) {
    const int64_t d = c->d, n = c->n, count = op[MEMBERS], *members = op + FIRST_MEMBER + count, X = c->X;
    num *const column = room + d;
    *changed = 0;
    for (int64_t j = 0; j < n; j++) {
        int64_t steps = 0;
        for (int64_t k = 0;; k++) {
            k = F(next)(c, op, F(row)(c, op[SEARCH_W_1], x, j), s, k);
            if (k == count) break;
            const int64_t *member = c->program + members[k];
            for (int64_t i = 0; i < d; i++) column[i] = x[i * n + j];
            if (memory) {
                num *const met = memory->met + k * (1 + d), *const became = memory->became + k * d;
                int same = memory->known[k] && SAME(met[0], s);
                for (int64_t i = 0; same && i < d; i++) same = SAME(met[1 + i], column[i]);
                if (same) {
                    if (!*changed) memcpy(before, x, (size_t)(d * n) * sizeof(num));
                    *changed = 1;
                    for (int64_t i = 0; i < d; i++) x[i * n + j] = became[i];
                    break;
                }
                if (!memory->known[k]) {
                    met[0] = s;
                    for (int64_t i = 0; i < d; i++) met[1 + i] = column[i];
                    memory->path[steps++] = k;
                }
            }
            c->X = F(bits)(column, d);
            int64_t need = needs(c, member), more = needs(c, op);
            if (need <= 64 * W - 1) {
                if (!*changed) memcpy(before, x, (size_t)(d * n) * sizeof(num));
                *changed |= F(token)(c, member, x, s, j, room);
                for (int64_t i = 0; i < d; i++) column[i] = x[i * n + j];
                c->X = F(bits)(column, d);
                need = more = needs(c, op);
            }
            if (need > 64 * W - 1 || more > 64 * W - 1) {
                if (*changed) memcpy(x, before, (size_t)(d * n) * sizeof(num));
                c->X = X;
                c->wanted = need > more ? need : more;
                return 0;
            }
        }
        for (int64_t t = 0; t < steps; t++) {
            const int64_t k = memory->path[t];
            for (int64_t i = 0; i < d; i++) memory->became[k * d + i] = x[i * n + j];
            memory->known[k] = 1;
        }
    }
    c->X = X;
    return 1;
}

enum { F(LEFT_OUT) = -1 };

/* A search whose members are attention layers, on one matrix (s and its entries): only the layers that have some column
 * in their window are run, in their order, and kept where they change it. Whether any did; LEFT_OUT where one needs wider
 * numbers or a denominator of a mean. `bits` grows to those of every x on the way. */
static int F(attend_some)(machine *c, const int64_t *op, int64_t number, num *matrix, num *mine, num *spare, num *room,
                          int64_t *bits) {
    const int64_t n = c->n, size = c->d * n, count = op[MEMBERS], *members = op + FIRST_MEMBER + count;
    num s = matrix[0], *x = mine, *y = spare;
    int changed = 0;
    memcpy(x, matrix + 1, (size_t)size * sizeof(num));
    for (int64_t k = 0;; k++) {
        c->X = F(bits)(x, size);
        c->S = F(bits)(&s, 1);
        *bits = most(*bits, c->X);
        if (needs(c, op) > 64 * W - 1) return F(LEFT_OUT);
        int64_t found = count;
        for (int64_t j = 0; j < n; j++) {
            const int64_t its = F(next)(c, op, F(row)(c, op[SEARCH_W_1], x, j), s, k);
            if (its < found) found = its;
        }
        if ((k = found) == count) break;
        const int64_t *member = c->program + members[k];
        if (needs(c, member) > 64 * W - 1) return F(LEFT_OUT);
        const int did = F(attend)(c, member, x, s, y, room);
        if (did == F(DIVIDES)) return F(LEFT_OUT);
        if (did == F(LEFT)) continue;
        changed = 1;
        if (member[Q_BITS] > 1) s = MUL(F(constant)(c, member[AT_Q]), s);
        num *const z = x;
        x = y;
        y = z;
        if (c->keep == CHANGES) {
            const int64_t words[2] = {number, k};
            keep(c, words, 2);
            F(keep_number)(c, s);
            for (int64_t i = 0; i < size; i++) F(keep_number)(c, x[i]);
        }
    }
    matrix[0] = s;
    memcpy(matrix + 1, x, (size_t)size * sizeof(num));
    return changed;
}

/* The ops from k on, as far as W limbs serve; the number of the op that they don't, or that fewer do. */
static int64_t F(run)(machine *c, int64_t k) {
    const int64_t d = c->d, n = c->n, size = d * n, had = c->state[0];
    num *x = (num *)c->room, *y = x + size, *const room = y + size, s = F(from_limbs)(c->state + 1, had);
    for (int64_t i = 0; i < size; i++) x[i] = F(from_limbs)(c->state + 1 + had * (1 + i), had);
    int behind_attention = 0;
    while (k < c->count && !c->full) {
        const int64_t *op = c->program + c->program[1 + k];
        const int64_t need = needs(c, op);
        if (need > 64 * W - 1) break;
        if (behind_attention && need <= c->narrower && c->X < c->narrower && c->S < c->narrower) break;
        behind_attention = 0;
        const int64_t begun = c->kept;
        int changed = 0;
        if (c->keep == EVERYTHING) {
            const int64_t words[2] = {k, W};
            keep(c, words, 2);
        }
        if (op[KIND] == ATTENTION) {
            behind_attention = 1;
            const int did = F(attend)(c, op, x, s, y, room);
            if (did == F(DIVIDES)) {
                c->kept = begun;
                c->wanted = (c->X > c->S ? c->X : c->S) + 65; /* c->means has less than 64 bits */
                if (c->means == 0) { c->wanted = IMPOSSIBLE; break; }
                if (c->wanted > 64 * W - 1) break;
                int64_t limbs[1] = {c->means};
                const num L = F(from_limbs)(limbs, 1);
                for (int64_t i = 0; i < size; i++) x[i] = MUL(L, x[i]);
                s = MUL(L, s);
                c->X = F(bits)(x, size);
                c->S = F(bits)(&s, 1);
                continue;
            }
            changed = did == F(CHANGED);
            if (changed && op[Q_BITS] > 1) {
                s = MUL(F(constant)(c, op[AT_Q]), s);
                c->S = F(bits)(&s, 1);
            }
            num *const z = x;
            x = y;
            y = z;
        } else if (op[KIND] == FEED_FORWARD) {
            for (int64_t j = 0; j < n; j++) changed |= F(token)(c, op, x, s, j, room);
        } else if (!F(search)(c, op, x, s, y, room, &changed, NULL)) {
            c->kept = begun;
            break;
        }
        if (changed) c->X = F(bits)(x, size);
        if (c->keep == EVERYTHING || (c->keep == CHANGES && changed)) {
            const int64_t words[3] = {k, W, changed};
            keep(c, words, 3);
            F(keep_number)(c, s);
            for (int64_t i = 0; changed && i < size; i++) F(keep_number)(c, x[i]);
        }
        k++;
    }
    c->state[0] = W;
    F(to_limbs)(c->state + 1, s);
    for (int64_t i = 0; i < size; i++) F(to_limbs)(c->state + 1 + W * (1 + i), x[i]);
    return k;
}

/* One op on `count` matrices, each of them s and its entries: what it makes of each, and whether it changed it. How many
 * it has done; the next one needs wider numbers then, or (c->wanted) a denominator of a mean. -1 without memory. */
static int64_t F(op)(machine *c, const int64_t *op, int64_t count, const num *before, num *after, int64_t *changed) {
    const int64_t size = c->d * c->n, X = c->X;
    const num *x = before;
    num *const mine = (num *)c->room, *const spare = mine + size, *const room = spare + size;
    const int one = op[KIND] != FEED_FORWARD || SAME(F(constant)(c, op[FF_Q]), ONE);
    const int some = op[KIND] == SEARCH && c->program[op[FIRST_MEMBER + op[MEMBERS]]] == ATTENTION;
    const size_t members = op[KIND] == SEARCH && !some ? (size_t)op[MEMBERS] : 0;
    F(memory) memory = {0};
    void *const kept =
        members ? calloc(members, (1 + 2 * (size_t)c->d) * sizeof(num) + sizeof(int64_t) + 1) : NULL;
    if (members) {
        if (!kept) return -1;
        memory.met = kept;
        memory.became = memory.met + members * (1 + (size_t)c->d);
        memory.path = (int64_t *)(memory.became + members * (size_t)c->d);
        memory.known = (char *)(memory.path + members);
    }
    int64_t k = 0, bits[2] = {0, 0};
    for (; k < count; k++, x += 1 + size, after += 1 + size) {
        const num s = x[0];
        after[0] = s;
        if (op[KIND] == ATTENTION) {
            const int did = F(attend)(c, op, x + 1, s, after + 1, room);
            if (did == F(DIVIDES)) break;
            changed[k] = did == F(CHANGED);
            if (changed[k] && op[Q_BITS] > 1) after[0] = MUL(F(constant)(c, op[AT_Q]), s);
        } else if (some) {
            memcpy(after, x, (size_t)(1 + size) * sizeof(num));
            changed[k] = F(attend_some)(c, op, k, after, mine, spare, room, bits);
            if (c->full) break;
        } else {
            int any = 0;
            memcpy(mine, x + 1, (size_t)size * sizeof(num));
            if (op[KIND] == FEED_FORWARD) {
                for (int64_t j = 0; j < c->n; j++) F(token)(c, op, mine, s, j, room);
            } else {
                c->X = X;
                c->S = F(bits)(&s, 1);
                if (!F(search)(c, op, mine, s, spare, room, &any, &memory)) break;
            }
            memcpy(after + 1, mine, (size_t)size * sizeof(num));
            changed[k] = !one || memcmp(x + 1, mine, (size_t)size * sizeof(num));
        }
        bits[0] = most(bits[0], F(bits)(after + 1, size));
        bits[1] = most(bits[1], F(bits)(after, 1));
    }
    c->wanted = k < count && op[KIND] == ATTENTION;
    c->X = bits[0];
    c->S = bits[1];
    free(kept);
    return k;
}

#undef num
#undef ADD
#undef MUL
#undef LESS
#undef SAME
#undef ZERO
#undef ONE
#undef F
#undef JOIN
#undef JOIN_
