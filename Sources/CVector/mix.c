#include "CVector.h"
#include "Processors.h"

// Eight lanes whatever the processor has: the sums are the same everywhere.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
typedef int masks __attribute__((vector_size(32), aligned(4)));
typedef float half __attribute__((vector_size(16)));
// What is not summed up may have as many lanes as a register has.
typedef float wide __attribute__((vector_size(64), aligned(4)));

INLINE float larger(float a, float b) { return a > b ? a : b; }

// Raises peaks, lane by lane, to the samples' magnitudes; what is no number raises none.
INLINE void raise(lanes *peaks, const lanes *samples) {
    lanes size = __builtin_elementwise_abs(*samples);
    masks is_larger = size > *peaks;
    *peaks = (lanes)(((masks)size & is_larger) | ((masks)*peaks & ~is_larger));
}

INLINE float largest(const lanes *peaks) {
    lanes p = *peaks;
    return larger(larger(larger(p[0], p[4]), larger(p[1], p[5])),
                  larger(larger(p[2], p[6]), larger(p[3], p[7])));
}

// Inlined below, once for each kind of processor and of gain: those that move are read, the others are one
// number. No multiply-add: it would round once where others round twice.
INLINE void mix(const float *source, int moves, const float *first, float first_of_all, int moves_too,
                const float *second, float second_of_all, int adds, int measures, float *bus, size_t count,
                float *peak, float *squares) {
#pragma clang fp contract(off)
    lanes peaks = {0}, sums = {0};
    const lanes all_first = first_of_all - (lanes){0}, all_second = second_of_all - (lanes){0};
    const wide all_first_wide = first_of_all - (wide){0}, all_second_wide = second_of_all - (wide){0};
    size_t i = 0;
    for (; !measures && i + 16 <= count; i += 16) {
        wide y = *(const wide *)(source + i) * (moves ? *(const wide *)(first + i) : all_first_wide);
        y *= moves_too ? *(const wide *)(second + i) : all_second_wide;
        *(wide *)(bus + i) = adds ? *(wide *)(bus + i) + y : y;
    }
    for (; i + 8 <= count; i += 8) {
        lanes y = *(const lanes *)(source + i) * (moves ? *(const lanes *)(first + i) : all_first);
        y *= moves_too ? *(const lanes *)(second + i) : all_second;
        *(lanes *)(bus + i) = adds ? *(lanes *)(bus + i) + y : y;
        if (!measures) continue;
        raise(&peaks, &y);
        sums += y * y;
    }
    half sum =
        __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
    float total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    float most = largest(&peaks);
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

INLINE void lay_in_turn(const float *left, const float *right, float *both, size_t count, float *peak) {
    lanes peaks = {0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        lanes l = *(const lanes *)(left + i), r = *(const lanes *)(right + i);
        raise(&peaks, &l);
        raise(&peaks, &r);
        *(lanes *)(both + 2 * i) = __builtin_shufflevector(l, r, 0, 8, 1, 9, 2, 10, 3, 11);
        *(lanes *)(both + 2 * i + 8) = __builtin_shufflevector(l, r, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    float most = largest(&peaks);
    for (; i < count; i++) {
        both[2 * i] = left[i];
        both[2 * i + 1] = right[i];
        most = larger(__builtin_fabsf(right[i]), larger(__builtin_fabsf(left[i]), most));
    }
    if (peak && most > *peak) *peak = most;
}

// Of what is a number zero times that is zero; of what is none, it is none.
INLINE void find_others(const float *left, const float *right, size_t count, int *others) {
    lanes sum = {0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        sum += *(const lanes *)(left + i) * 0.0f + *(const lanes *)(right + i) * 0.0f;
    float rest = 0;
    for (; i < count; i++) rest += left[i] * 0.0f + right[i] * 0.0f;
    half four = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
    *others = !(rest + (four[0] + four[2]) + (four[1] + four[3]) == 0);
}

size_t silence_others(const float *source, float *target, size_t count) {
    size_t silenced = 0;
    for (size_t i = 0; i < count; i++) {
        int is_number = source[i] * 0.0f == 0;
        target[i] = is_number ? source[i] : 0;
        silenced += !is_number;
    }
    return silenced;
}

EACH(mix_steady,
     (const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares),
     (source, first, second, bus, count, peak, squares),
     mix(source, 0, source, first, 0, source, second, 1, 1, bus, count, peak, squares))

EACH(mix_moving,
     (const float *source, const float *first, const float *second, float *bus, size_t count, float *peak,
      float *squares),
     (source, first, second, bus, count, peak, squares),
     mix(source, 1, first, 1, 1, second, 1, 1, 1, bus, count, peak, squares))

EACH(make_steady,
     (const float *source, float first, float second, float *block, size_t count, float *peak,
      float *squares),
     (source, first, second, block, count, peak, squares),
     mix(source, 0, source, first, 0, source, second, 0, 1, block, count, peak, squares))

EACH(make_moving,
     (const float *source, const float *first, const float *second, float *block, size_t count, float *peak,
      float *squares),
     (source, first, second, block, count, peak, squares),
     mix(source, 1, first, 1, 1, second, 1, 0, 1, block, count, peak, squares))

EACH(add_steady, (const float *source, float first, float second, float *bus, size_t count),
     (source, first, second, bus, count),
     mix(source, 0, source, first, 0, source, second, 1, 0, bus, count, 0, 0))

EACH(add_moving, (const float *source, const float *first, const float *second, float *bus, size_t count),
     (source, first, second, bus, count), mix(source, 1, first, 1, 1, second, 1, 1, 0, bus, count, 0, 0))

EACH(scale_moving, (float *bus, const float *gain, size_t count, float *peak, float *squares),
     (bus, gain, count, peak, squares), mix(bus, 1, gain, 1, 0, bus, 1, 0, 1, bus, count, peak, squares))

EACH(interleave, (const float *left, const float *right, float *both, size_t count, float *peak),
     (left, right, both, count, peak), lay_in_turn(left, right, both, count, peak))

EACH(look_for_others, (const float *left, const float *right, size_t count, int *others),
     (left, right, count, others), find_others(left, right, count, others))

int are_numbers(const float *left, const float *right, size_t count) {
    int others = 0;
    look_for_others(left, right, count, &others);
    return !others;
}
