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
#define STEADY(number) {0, 0, number}
#define MOVING(numbers) {1, numbers, 1}
#define GAINS(...) ((struct gains){__VA_ARGS__})
// What samples are multiplied by, one after the other.
struct gains {
    struct gain first, second;
};
enum { ADDS = 1, MEASURES = 2 };

// The next frame, eight or sixteen, as wide as `vector` is, times both gains: those that move are read, the
// others are one number. No multiply-add anywhere: it would round once where others round twice.
#define TIMES(vector, source, by, i) \
    (*(const vector *)((source) + (i)) * \
     ((by).first.moves ? *(const vector *)((by).first.each + (i)) : (by).first.all - (vector){0}) * \
     ((by).second.moves ? *(const vector *)((by).second.each + (i)) : (by).second.all - (vector){0}))

// As many whole registers as there are. Returns how many frames that were.
INLINE size_t mix_unmeasured(const float *source, struct gains by, int adds, float *bus, size_t count) {
#pragma clang fp contract(off)
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        wide y = TIMES(wide, source, by, i);
        *(wide *)(bus + i) = adds ? *(wide *)(bus + i) + y : y;
    }
    return i;
}

// The squares of eight lanes, two by two.
INLINE float total(const lanes *sums) {
    half sum =
        __builtin_shufflevector(*sums, *sums, 0, 1, 2, 3) + __builtin_shufflevector(*sums, *sums, 4, 5, 6, 7);
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// Inlined below, once for each kind of processor and of gain.
// `how`: whether it adds to what is there or replaces it, and measures what it makes.
INLINE void mix(const float *source, struct gains by, int how, float *bus, size_t count, Level *level) {
#pragma clang fp contract(off)
    const int adds = how & ADDS, measures = how & MEASURES;
    lanes peaks = {0}, sums = {0};
    size_t i = measures ? 0 : mix_unmeasured(source, by, adds, bus, count);
    for (; i + 8 <= count; i += 8) {
        lanes y = TIMES(lanes, source, by, i);
        *(lanes *)(bus + i) = adds ? *(lanes *)(bus + i) + y : y;
        if (!measures) continue;
        raise(&peaks, &y);
        sums += y * y;
    }
    Level made = {largest(&peaks), total(&sums)};
    for (; i < count; i++) {
        float y = source[i] * (by.first.moves ? by.first.each[i] : by.first.all);
        y *= by.second.moves ? by.second.each[i] : by.second.all;
        bus[i] = adds ? bus[i] + y : y;
        if (!measures) continue;
        made.peak = larger(__builtin_fabsf(y), made.peak);
        made.squares += y * y;
    }
    if (!measures) return;
    if (made.peak > level->peak) level->peak = made.peak;
    level->squares += made.squares;
}

EACH(mix_steady, (const float *source, float first, float second, float *bus, size_t count, Level *level),
     (source, first, second, bus, count, level),
     mix(source, GAINS(STEADY(first), STEADY(second)), ADDS | MEASURES, bus, count, level))

EACH(mix_moving,
     (const float *source, const float *first, const float *second, float *bus, size_t count, Level *level),
     (source, first, second, bus, count, level),
     mix(source, GAINS(MOVING(first), MOVING(second)), ADDS | MEASURES, bus, count, level))

EACH(make_steady, (const float *source, float first, float second, float *block, size_t count, Level *level),
     (source, first, second, block, count, level),
     mix(source, GAINS(STEADY(first), STEADY(second)), MEASURES, block, count, level))

EACH(make_moving,
     (const float *source, const float *first, const float *second, float *block, size_t count, Level *level),
     (source, first, second, block, count, level),
     mix(source, GAINS(MOVING(first), MOVING(second)), MEASURES, block, count, level))

EACH(add_steady, (const float *source, float first, float second, float *bus, size_t count),
     (source, first, second, bus, count),
     mix(source, GAINS(STEADY(first), STEADY(second)), ADDS, bus, count, 0))

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
        struct gains to_left = GAINS(STEADY(gain), STEADY(send->of_left));
        struct gains to_right = GAINS(STEADY(gain), STEADY(send->of_right));
        mix(left + i, to_left, ADDS, send->bus_left + i, count - i, 0);
        mix(right + i, to_right, ADDS, send->bus_right + i, count - i, 0);
    }
}

EACH(add_to_sends,
     (const float *left, const float *right, float gain, const struct steady_send *sends, size_t send_count,
      size_t count),
     (left, right, gain, sends, send_count, count), add_each(left, right, gain, sends, send_count, count))

EACH(add_moving, (const float *source, const float *first, const float *second, float *bus, size_t count),
     (source, first, second, bus, count),
     mix(source, GAINS(MOVING(first), MOVING(second)), ADDS, bus, count, 0))

EACH(scale_moving, (float *bus, const float *gain, size_t count, Level *level), (bus, gain, count, level),
     mix(bus, GAINS(MOVING(gain), STEADY(1)), MEASURES, bus, count, level))
