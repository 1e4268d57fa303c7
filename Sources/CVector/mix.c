#include "CVector.h"
#include "Lanes.h"

// The innermost loops of the mixer: a channel of a block times two gains.

// What is not summed up may have as many lanes as a register has.
typedef float wide __attribute__((vector_size(64), aligned(4)));

// A gain: one of all frames, or where it moves one of each.
struct gain {
    int moves;
    const float *each;
    float all;
};
#define STEADY(number) ((struct gain){0, 0, number})
#define MOVING(numbers) ((struct gain){1, numbers, 1})
enum { ADDS = 1, MEASURES = 2 };

// Inlined below, once for each kind of processor and of gain: those that move are read, the others are one
// number. No multiply-add: it would round once where others round twice.
// `how`: whether it adds to what is there or replaces it, and measures what it makes.
INLINE void mix(const float *source, struct gain first, struct gain second, int how, float *bus, size_t count,
                float *peak, float *squares) {
#pragma clang fp contract(off)
    const int adds = how & ADDS, measures = how & MEASURES;
    lanes peaks = {0}, sums = {0};
    const lanes all_first = first.all - (lanes){0}, all_second = second.all - (lanes){0};
    const wide all_first_wide = first.all - (wide){0}, all_second_wide = second.all - (wide){0};
    size_t i = 0;
    for (; !measures && i + 16 <= count; i += 16) {
        wide y =
            *(const wide *)(source + i) * (first.moves ? *(const wide *)(first.each + i) : all_first_wide);
        y *= second.moves ? *(const wide *)(second.each + i) : all_second_wide;
        *(wide *)(bus + i) = adds ? *(wide *)(bus + i) + y : y;
    }
    for (; i + 8 <= count; i += 8) {
        lanes y = *(const lanes *)(source + i) * (first.moves ? *(const lanes *)(first.each + i) : all_first);
        y *= second.moves ? *(const lanes *)(second.each + i) : all_second;
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
        float y = source[i] * (first.moves ? first.each[i] : first.all);
        y *= second.moves ? second.each[i] : second.all;
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

EACH(mix_steady,
     (const float *source, float first, float second, float *bus, size_t count, float *peak, float *squares),
     (source, first, second, bus, count, peak, squares),
     mix(source, STEADY(first), STEADY(second), ADDS | MEASURES, bus, count, peak, squares))

EACH(mix_moving,
     (const float *source, const float *first, const float *second, float *bus, size_t count, float *peak,
      float *squares),
     (source, first, second, bus, count, peak, squares),
     mix(source, MOVING(first), MOVING(second), ADDS | MEASURES, bus, count, peak, squares))

EACH(make_steady,
     (const float *source, float first, float second, float *block, size_t count, float *peak,
      float *squares),
     (source, first, second, block, count, peak, squares),
     mix(source, STEADY(first), STEADY(second), MEASURES, block, count, peak, squares))

EACH(make_moving,
     (const float *source, const float *first, const float *second, float *block, size_t count, float *peak,
      float *squares),
     (source, first, second, block, count, peak, squares),
     mix(source, MOVING(first), MOVING(second), MEASURES, block, count, peak, squares))

EACH(add_steady, (const float *source, float first, float second, float *bus, size_t count),
     (source, first, second, bus, count), mix(source, STEADY(first), STEADY(second), ADDS, bus, count, 0, 0))

// So many frames of both channels stay in registers while they are added to one bus after another.
enum { HELD = 4, HELD_FRAMES = HELD * sizeof(wide) / sizeof(float) };

INLINE void hold(wide *held, const float *source, float gain) {
#pragma clang fp contract(off)
    for (size_t k = 0; k < HELD; k++) held[k] = *(const wide *)(source + 16 * k) * (gain - (wide){0});
}

INLINE void add_held(const wide *held, float gain, float *bus) {
#pragma clang fp contract(off)
    for (size_t k = 0; k < HELD; k++) *(wide *)(bus + 16 * k) += held[k] * (gain - (wide){0});
}

INLINE void add_each(const float *left, const float *right, float gain, const struct steady_send *sends,
                     size_t send_count, size_t count) {
    const struct steady_send *end = sends + send_count;
    size_t i = 0;
    for (; i + HELD_FRAMES <= count; i += HELD_FRAMES) {
        wide lefts[HELD], rights[HELD];
        hold(lefts, left + i, gain);
        hold(rights, right + i, gain);
        for (const struct steady_send *send = sends; send < end; send++) {
            add_held(lefts, send->of_left, send->bus_left + i);
            add_held(rights, send->of_right, send->bus_right + i);
        }
    }
    if (i == count) return;
    for (const struct steady_send *send = sends; send < end; send++) {
        mix(left + i, STEADY(gain), STEADY(send->of_left), ADDS, send->bus_left + i, count - i, 0, 0);
        mix(right + i, STEADY(gain), STEADY(send->of_right), ADDS, send->bus_right + i, count - i, 0, 0);
    }
}

EACH(add_to_sends,
     (const float *left, const float *right, float gain, const struct steady_send *sends, size_t send_count,
      size_t count),
     (left, right, gain, sends, send_count, count), add_each(left, right, gain, sends, send_count, count))

EACH(add_moving, (const float *source, const float *first, const float *second, float *bus, size_t count),
     (source, first, second, bus, count), mix(source, MOVING(first), MOVING(second), ADDS, bus, count, 0, 0))

EACH(scale_moving, (float *bus, const float *gain, size_t count, float *peak, float *squares),
     (bus, gain, count, peak, squares),
     mix(bus, MOVING(gain), STEADY(1), MEASURES, bus, count, peak, squares))
