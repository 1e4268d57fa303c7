#include "CVector.h"

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define WITH_AVX2
#define HAS_AVX2 0
#endif

// Eight lanes whatever the processor has: the sums are the same everywhere.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
typedef int masks __attribute__((vector_size(32), aligned(4)));
typedef float half __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) float larger(float a, float b) { return a > b ? a : b; }

// Inlined below, once for each kind of processor and of gain: those that move are read, the others are one number. No multiply-add: it would
// round once where others round twice.
static inline __attribute__((always_inline)) void mix(
    const float *source, int moves, const float *first, float first_of_all, int moves_too, const float *second, float second_of_all,
    int adds, float *bus, size_t count, float *peak, float *squares) {
#pragma clang fp contract(off)
    lanes peaks = {0}, sums = {0};
    const lanes all_first = first_of_all - (lanes){0}, all_second = second_of_all - (lanes){0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        lanes y = *(const lanes *)(source + i) * (moves ? *(const lanes *)(first + i) : all_first);
        y *= moves_too ? *(const lanes *)(second + i) : all_second;
        *(lanes *)(bus + i) = adds ? *(lanes *)(bus + i) + y : y;
        lanes size = __builtin_elementwise_abs(y);
        masks is_larger = size > peaks;
        peaks = (lanes)(((masks)size & is_larger) | ((masks)peaks & ~is_larger));
        sums += y * y;
    }
    half sum = __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
    float total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    float most = larger(larger(larger(peaks[0], peaks[4]), larger(peaks[1], peaks[5])), larger(larger(peaks[2], peaks[6]), larger(peaks[3], peaks[7])));
    for (; i < count; i++) {
        float y = source[i] * (moves ? first[i] : first_of_all);
        y *= moves_too ? second[i] : second_of_all;
        bus[i] = adds ? bus[i] + y : y;
        float size = __builtin_fabsf(y);
        most = larger(size, most);
        total += y * y;
    }
    if (most > *peak) *peak = most;
    *squares += total;
}

static inline __attribute__((always_inline)) void steady(const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares) {
    mix(source, 0, source, first, 0, source, second, 1, bus, count, peak, squares);
}

static inline __attribute__((always_inline)) void moving(
    const float *source, const float *first, const float *second, float *bus, size_t count, float *peak, float *squares) {
    mix(source, 1, first, 1, 1, second, 1, 1, bus, count, peak, squares);
}

static inline __attribute__((always_inline)) void scaling(float *bus, const float *gain, size_t count, float *peak, float *squares) {
    mix(bus, 1, gain, 1, 0, bus, 1, 0, bus, count, peak, squares);
}

WITH_AVX2 static void steady_wide(const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares) {
    steady(source, first, second, bus, count, peak, squares);
}

WITH_AVX2 static void moving_wide(const float *source, const float *first, const float *second, float *bus, size_t count, float *peak, float *squares) {
    moving(source, first, second, bus, count, peak, squares);
}

WITH_AVX2 static void scaling_wide(float *bus, const float *gain, size_t count, float *peak, float *squares) { scaling(bus, gain, count, peak, squares); }

void mix_steady(const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares) {
    if (HAS_AVX2) return steady_wide(source, first, second, bus, count, peak, squares);
    steady(source, first, second, bus, count, peak, squares);
}

void mix_moving(const float *source, const float *first, const float *second, float *bus, size_t count, float *peak, float *squares) {
    if (HAS_AVX2) return moving_wide(source, first, second, bus, count, peak, squares);
    moving(source, first, second, bus, count, peak, squares);
}

void scale_moving(float *bus, const float *gain, size_t count, float *peak, float *squares) {
    if (HAS_AVX2) return scaling_wide(bus, gain, count, peak, squares);
    scaling(bus, gain, count, peak, squares);
}
