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
    int adds, int measures, float *bus, size_t count, float *peak, float *squares) {
#pragma clang fp contract(off)
    lanes peaks = {0}, sums = {0};
    const lanes all_first = first_of_all - (lanes){0}, all_second = second_of_all - (lanes){0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        lanes y = *(const lanes *)(source + i) * (moves ? *(const lanes *)(first + i) : all_first);
        y *= moves_too ? *(const lanes *)(second + i) : all_second;
        *(lanes *)(bus + i) = adds ? *(lanes *)(bus + i) + y : y;
        if (!measures) continue;
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
        if (!measures) continue;
        float size = __builtin_fabsf(y);
        most = larger(size, most);
        total += y * y;
    }
    if (!measures) return;
    if (most > *peak) *peak = most;
    *squares += total;
}

// Each of them for every processor and for those with wider registers, the better one chosen when it is called.
#define BOTH(name, parameters, arguments, body) \
    static inline __attribute__((always_inline)) void name##_all parameters { body; } \
    WITH_AVX2 static void name##_wide parameters { name##_all arguments; } \
    void name parameters { \
        if (HAS_AVX2) return name##_wide arguments; \
        name##_all arguments; \
    }

BOTH(mix_steady, (const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares),
     (source, first, second, bus, count, peak, squares), mix(source, 0, source, first, 0, source, second, 1, 1, bus, count, peak, squares))

BOTH(mix_moving, (const float *source, const float *first, const float *second, float *bus, size_t count, float *peak, float *squares),
     (source, first, second, bus, count, peak, squares), mix(source, 1, first, 1, 1, second, 1, 1, 1, bus, count, peak, squares))

BOTH(make_steady, (const float *source, float first, float second, float *block, size_t count, float *peak, float *squares),
     (source, first, second, block, count, peak, squares), mix(source, 0, source, first, 0, source, second, 0, 1, block, count, peak, squares))

BOTH(make_moving, (const float *source, const float *first, const float *second, float *block, size_t count, float *peak, float *squares),
     (source, first, second, block, count, peak, squares), mix(source, 1, first, 1, 1, second, 1, 0, 1, block, count, peak, squares))

BOTH(add_steady, (const float *source, float first, float second, float *bus, size_t count), (source, first, second, bus, count),
     mix(source, 0, source, first, 0, source, second, 1, 0, bus, count, 0, 0))

BOTH(add_moving, (const float *source, const float *first, const float *second, float *bus, size_t count), (source, first, second, bus, count),
     mix(source, 1, first, 1, 1, second, 1, 1, 0, bus, count, 0, 0))

BOTH(scale_moving, (float *bus, const float *gain, size_t count, float *peak, float *squares), (bus, gain, count, peak, squares),
     mix(bus, 1, gain, 1, 0, bus, 1, 0, 1, bus, count, peak, squares))
