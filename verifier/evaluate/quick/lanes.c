/* Attention in many lanes at once, exactly: scores are sums of products of int64, compared in 128 bits.
   Whoever calls has bounds that show that no sum leaves 126 bits, and no sum of values 62. */

#include <stdint.h>
#include <stdlib.h>

typedef __int128 wide;
typedef int64_t whole;

/* x[i * dx] * y[i * dy]; a step of 0 is a number that all lanes share. */
typedef struct {
    const whole *x;
    whole dx;
    const whole *y;
    whole dy;
} product;

typedef struct {
    whole terms;
    product of[8];
} sum;

static inline wide at(const sum *s, whole i)
{
    wide v = (wide)s->of[0].x[i * s->of[0].dx] * s->of[0].y[i * s->of[0].dy];
    for (whole k = 1; k < s->terms; k++)
        v += (wide)s->of[k].x[i * s->of[k].dx] * s->of[k].y[i * s->of[k].dy];
    return v;
}

static inline int sign(wide v) { return (v > 0) - (v < 0); }

/* The first t >= 1 at which a + b t has another sign than a, if it is below `until`. */
static inline whole turning(wide a, wide b, whole until)
{
    if (b == 0 || (a != 0 && (a > 0) == (b > 0)))
        return until;
    if (a == 0)
        return 1;
    wide p = a < 0 ? -a : a, q = b < 0 ? -b : b;
    wide t = (p >> 62) || (q >> 62) ? (p + q - 1) / q : ((whole)p - 1) / (whole)q + 1;
    return t < until ? (whole)t : until;
}

void signs(whole n, const sum *a, const sum *b, int8_t *found)
{
    for (whole i = 0; i < n; i++)
        found[i] = (int8_t)sign(at(a, i) - at(b, i));
}

void turn(whole n, const sum *a, const sum *b, whole *until)
{
    for (whole i = 0; i < n; i++)
        until[i] = turning(at(a, i), at(b, i), until[i]);
}

/* ties[j * n + i]: candidate j has the largest score of those of lane i that masks allow (a null mask allows all).
   With slopes, until[i] falls to where that may change. 0: no room. */
whole pick(whole n, whole m, const sum *scores, const sum *slopes, const uint8_t *const *masks, uint8_t *ties, whole *until)
{
    wide *s = malloc(sizeof(wide) * (size_t)m);
    if (!s)
        return 0;
    for (whole i = 0; i < n; i++) {
        whole best = -1;
        for (whole j = 0; j < m; j++) {
            if (masks[j] && !masks[j][i])
                continue;
            s[j] = at(&scores[j], i);
            if (best < 0 || s[j] > s[best])
                best = j;
        }
        for (whole j = 0; j < m; j++)
            ties[j * n + i] = best >= 0 && !(masks[j] && !masks[j][i]) && s[j] == s[best];
        if (slopes && best >= 0) {
            wide b = at(&slopes[best], i);
            for (whole j = 0; j < m; j++)
                if (j != best && !(masks[j] && !masks[j][i]))
                    until[i] = turning(s[j] - s[best], at(&slopes[j], i) - b, until[i]);
        }
    }
    free(s);
    return 1;
}

/* mean[i] of the values at the ties, whole where it is (1 is returned), or else their sum in all lanes. */
whole mean(whole n, whole m, const uint8_t *const *ties, const product *values, whole *found)
{
    whole exact = 1;
    for (whole i = 0; i < n; i++) {
        whole total = 0, many = 0;
        for (whole j = 0; j < m; j++)
            if (!ties[j] || ties[j][i]) {
                total += values[j].x[i * values[j].dx];
                many++;
            }
        found[i] = total;
        if (many > 1)
            exact &= total % many == 0;
    }
    if (exact)
        for (whole i = 0; i < n; i++) {
            whole many = 0;
            for (whole j = 0; j < m; j++)
                many += !ties[j] || ties[j][i];
            if (many > 1)
                found[i] /= many;
        }
    return exact;
}
