#include "CVector.h"
#include "Lanes.h"

// What is looked for in blocks, and how they are laid for files.

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

EACH(interleave, (const float *left, const float *right, float *both, size_t count, float *peak),
     (left, right, both, count, peak), lay_in_turn(left, right, both, count, peak))

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

EACH(look_for_others, (const float *left, const float *right, size_t count, int *others),
     (left, right, count, others), find_others(left, right, count, others))

int are_numbers(const float *left, const float *right, size_t count) {
    int others = 0;
    look_for_others(left, right, count, &others);
    return !others;
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
