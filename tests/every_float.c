/* The quantiser of a network of the form float at d = 1, run on every float32 in [0, 1), in four ways of adding.
 *
 *     every_float N epsilon_exponent from to < weights        epsilon = 2^-epsilon_exponent; bit patterns from <= b < to
 *
 * Weights: for each layer a line of six hexadecimal floats, w1 b1 v1 w2 b2 v2, and x <- x + v1 relu(w1 x + b1) + v2 relu(w2 x + b2).
 * Off the strips the result must be floor(N x) / N, in every way of adding; on a strip between that and the next cell.
 * Prints: numbers off the strips, numbers on strips, wrong ones; and the first wrong one.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, WAYS = 4, BLOCK = 4096 };

static float W[MOST][6];

static inline float relu(float z) { return z > 0.0f ? z : 0.0f; }

/* With fused operations and without; the terms from the left and from the right. */
static inline float layer(const float *w, float x, int way) {
    float h1, h2;
    if (way & 1) {
        h1 = relu(fmaf(w[0], x, w[1])), h2 = relu(fmaf(w[3], x, w[4]));
        return way & 2 ? fmaf(w[2], h1, fmaf(w[5], h2, x)) : fmaf(w[5], h2, fmaf(w[2], h1, x));
    }
    h1 = relu(w[0] * x + w[1]), h2 = relu(w[3] * x + w[4]);
    return way & 2 ? x + (w[2] * h1 + w[5] * h2) : (x + w[2] * h1) + w[5] * h2;
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int N = atoi(words[1]), layers = 0;
    double epsilon = ldexp(1.0, -atoi(words[2]));
    uint32_t from = (uint32_t)strtoul(words[3], NULL, 10), to = (uint32_t)strtoul(words[4], NULL, 10);
    char line[256];
    while (layers < MOST && fgets(line, sizeof line, stdin)) {
        char *at = line;
        for (int k = 0; k < 6; k++) W[layers][k] = strtof(at, &at);
        layers++;
    }
    unsigned long long off = 0, on = 0, wrong = 0;
    static float x[BLOCK], y[BLOCK];
    for (uint32_t start = from; start < to; start += BLOCK) {
        uint32_t size = to - start < BLOCK ? to - start : BLOCK;
        for (int way = 0; way < WAYS; way++) {
            for (uint32_t k = 0; k < size; k++) {
                uint32_t bits = start + k;
                memcpy(&x[k], &bits, 4);
                y[k] = x[k];
            }
            for (int l = 0; l < layers; l++)
                for (uint32_t k = 0; k < size; k++) y[k] = layer(W[l], y[k], way);
            for (uint32_t k = 0; k < size; k++) { /* double holds all of these exactly */
                double cell = floor((double)x[k] * N), low = cell / N;
                int inside = (double)x[k] <= (cell + 1) / N - epsilon;
                int right = inside ? y[k] == low : y[k] >= low && y[k] <= (cell + 1) / N;
                if (!right && !wrong++) fprintf(stderr, "x = %a gives %a, way %d\n", x[k], y[k], way);
                if (!way) inside ? off++ : on++;
            }
        }
    }
    printf("%llu %llu %llu\n", off, on, wrong);
    return 0;
}
