#include "CVector.h"
#include "Processors.h"
#include <stdint.h>
#include <string.h>

// The sections of an equaliser, run as a pipeline: each works on the frame behind that of the section before
// it, so that none waits for another within a step, and two of them, of two channels each, fill a register.
// Each does the same arithmetic as one after another would, in the same order. No multiply-add: it would
// round once where others round twice.

typedef double two __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef int64_t mask __attribute__((vector_size(32)));

enum { MOST = 8, GROUPS = MOST / 2, CHUNK = 64 };

// What a section multiplies by, and what it remembers of two channels: as Swift lays them down.
struct step {
    double a1, a2, a3, dry, band, low;
};
struct memory {
    two first, second;
};

// The same as CVector.h gives them.
struct sections {
    const struct step *steps;
    struct memory *memory;
    const long *order;
    size_t running;
};

// The same of two sections.
struct group {
    four a1, a2, a3, dry, band, low, first, second;
};

// The next frame, in place of what comes in: of one section or of more at once, as wide as `vector` is. `s`
// is what they multiply by, `m` what they remember.
#define NEXT(vector, s, m, frame) \
    do { \
        vector sample = frame, v3 = sample - (m)->second; \
        vector v1 = (s)->a1 * (m)->first + (s)->a2 * v3; \
        vector v2 = (m)->second + (s)->a2 * (m)->first + (s)->a3 * v3; \
        (m)->first = 2 * v1 - (m)->first; \
        (m)->second = 2 * v2 - (m)->second; \
        frame = (s)->dry * sample + (s)->band * v1 + (s)->low * v2; \
    } while (0)

// One section after another, frame by frame. What is no number is silence, and all is forgotten: else nothing
// would be heard ever again.
static void one_by_one(struct sections s, float *first, float *second, size_t count) {
#pragma clang fp contract(off)
    for (size_t i = 0; i < count; i++) {
        two frame = {first[i], second[i]};
        for (size_t place = 0; place < s.running; place++)
            NEXT(two, &s.steps[s.order[place]], &s.memory[s.order[place]], frame);
        if (!(frame[0] - frame[0] == 0 && frame[1] - frame[1] == 0)) {
            memset(s.memory, 0, MOST * sizeof *s.memory);
            frame = (two){0, 0};
        }
        second[i] = (float)frame[1];
        first[i] = (float)frame[0];
    }
}

// A step of the pipeline: what comes to each group is what came in, and the frames that those before it have
// made.
INLINE void pass(int groups, struct group *g, four *made, two come_in) {
#pragma clang fp contract(off)
    four come[GROUPS];
#pragma clang loop unroll(full)
    for (int k = 0; k < groups; k++) {
        two lower = k == 0 ? come_in : __builtin_shufflevector(made[k - 1], made[k - 1], 2, 3);
        two upper = __builtin_shufflevector(made[k], made[k], 0, 1);
        come[k] = __builtin_shufflevector(lower, upper, 0, 1, 2, 3);
    }
#pragma clang loop unroll(full)
    for (int k = 0; k < groups; k++) {
        made[k] = come[k];
        NEXT(four, &g[k], &g[k], made[k]);
    }
}

// Leaves what was remembered before in the lanes where a section has no frame.
INLINE void put_back(four *now, const four *before, const mask *works) {
    *now = (four)(((mask)*now & *works) | ((mask)*before & ~*works));
}

// The step `t` where the pipeline begins or ends: only the sections change that have one of `count` frames.
INLINE void pass_edge(int groups, struct group *g, four *made, two come_in, size_t t, size_t count) {
    four first[GROUPS], second[GROUPS];
#pragma clang loop unroll(full)
    for (int k = 0; k < groups; k++) first[k] = g[k].first, second[k] = g[k].second;
    pass(groups, g, made, come_in);
#pragma clang loop unroll(full)
    for (int k = 0; k < groups; k++) {
        size_t a = 2 * k, b = 2 * k + 1;
        int64_t lower = t >= a && t < count + a ? -1 : 0, upper = t >= b && t < count + b ? -1 : 0;
        mask works = {lower, lower, upper, upper};
        put_back(&g[k].first, &first[k], &works);
        put_back(&g[k].second, &second[k], &works);
    }
}

// The sections that run, each in its half of a group.
INLINE void load(struct group *g, struct sections from) {
    memset(g, 0, GROUPS * sizeof *g);
    for (size_t place = 0; place < from.running; place++) {
        const struct step *s = &from.steps[from.order[place]];
        const struct memory *m = &from.memory[from.order[place]];
        struct group *h = &g[place / 2];
        for (size_t lane = 2 * (place % 2), side = 0; side < 2; side++) {
            h->a1[lane + side] = s->a1, h->a2[lane + side] = s->a2, h->a3[lane + side] = s->a3;
            h->dry[lane + side] = s->dry, h->band[lane + side] = s->band, h->low[lane + side] = s->low;
            h->first[lane + side] = m->first[side], h->second[lane + side] = m->second[side];
        }
    }
}

// What they remember, back where it was taken from.
INLINE void store(const struct group *g, struct sections to) {
    for (size_t place = 0; place < to.running; place++) {
        const struct group *h = &g[place / 2];
        for (size_t lane = 2 * (place % 2), side = 0; side < 2; side++) {
            to.memory[to.order[place]].first[side] = h->first[lane + side];
            to.memory[to.order[place]].second[side] = h->second[lane + side];
        }
    }
}

// Returns whether all that comes out are numbers; else memory and samples are as they were.
INLINE int run(int groups, struct sections sections, float *first, float *second, size_t count) {
#pragma clang fp contract(off)
    struct group g[GROUPS];
    four made[GROUPS];
    memset(made, 0, sizeof made);
    load(g, sections);
    // Where the last section's frame is in what the last group has made, and how late it is.
    int is_upper = sections.running % 2 == 0;
    size_t late = sections.running - 1;
    two out[CHUNK], sum = {0, 0}, silence = {0, 0};
    for (size_t t = 0; t < count + late; t++) {
        two sample = silence;
        if (t < count) sample = (two){first[t], second[t]};
        if (t < late || t >= count)
            pass_edge(groups, g, made, sample, t, count);
        else
            pass(groups, g, made, sample);
        if (t < late) continue;
        four last = made[groups - 1];
        two heard =
            is_upper ? __builtin_shufflevector(last, last, 2, 3) : __builtin_shufflevector(last, last, 0, 1);
        out[t - late] = heard;
        sum += heard - heard;
    }
    if (!(sum[0] == 0 && sum[1] == 0)) return 0;
    for (size_t i = 0; i < count; i++) {
        second[i] = (float)out[i][1];
        first[i] = (float)out[i][0];
    }
    store(g, sections);
    return 1;
}

// By as many groups as the sections fill, so that the compiler knows the number.
INLINE int run_all(struct sections sections, float *first, float *second, size_t count) {
    switch ((sections.running + 1) / 2) {
    case 1:
        return run(1, sections, first, second, count);
    case 2:
        return run(2, sections, first, second, count);
    case 3:
        return run(3, sections, first, second, count);
    case 4:
        return run(4, sections, first, second, count);
    default:
        return 0;
    }
}

INLINE void filter(const struct filter_sections *given, float *first, float *second, size_t count) {
    struct sections sections = {given->steps, given->memory, given->order, given->running};
    for (size_t done = 0; done < count; done += CHUNK) {
        size_t length = count - done < CHUNK ? count - done : CHUNK;
        float *a = first + done, *b = second + done;
        // A pipeline takes as many steps more as it has sections.
        if (length >= CHUNK / 4 && run_all(sections, a, b, length)) continue;
        one_by_one(sections, a, b, length);
    }
}

EACH(filter_two, (const struct filter_sections *sections, float *first, float *second, size_t count),
     (sections, first, second, count), filter(sections, first, second, count))
