/* The kernel for this processor, where the library was built for x86-64: kernel.c is in it three times, once for each
 * width of the processor's vectors (hatch_build.py compiles them), and the widest that the processor has runs. */
#include <stdint.h>

typedef void kernel(const void *p, void *r, int64_t *c, uint64_t rank, uint64_t count);

kernel run_512, run_256, run_128;

void run(const void *p, void *r, int64_t *c, uint64_t rank, uint64_t count) {
    __builtin_cpu_init();
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
         ? run_512
     : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? run_256
                                                                        : run_128)(p, r, c, rank, count);
}
