#pragma once
/// Loops over samples, each compiled for more than one kind of processor: what Swift cannot say. Each does
/// the same arithmetic on all of them, in the same order, so that samples are the same everywhere.
#include <stdbool.h>
#include <stddef.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks")))

/// Makes floats of stereo frames of 24 bits, little-endian: `sample / 2^23`, exact. Reads up to 8 bytes
/// beyond the last frame. Returns how many of `count` frames it has done: all but 3 at the most, or 0 where
/// the processor has no byte shuffle (SSSE3).
/// `is_for_later`: nobody reads them before the processor's caches have let go of them, so they are written
/// past these, where `left` and `right` lie alike in the lines of these.
size_t pcm24_stereo(const void *source, float *left, float *right, size_t count, bool is_for_later);

/// Lays the frames of `left` and `right` down in `both`, one after another, and raises `peak`, if there is
/// one, to the largest magnitude.
void interleave(const float *left, const float *right, float *both, size_t count, float *peak);

enum { PCM_SCRATCH = 49152 };

/// Where bytes lie between a file and what is made of them: `PCM_SCRATCH` and 8 more, each thread's own and
/// always the same, so that they stay in its processor's cache.
void *pcm_scratch(void);

/// What a block of a channel measured: its largest magnitude, and the sum of the squares.
typedef struct {
    float peak, squares;
} Level;

/// Adds `(source * first) * second` to `bus`, with one rounding after each, and measures what it added:
/// raises the level's peak to the largest magnitude and adds the squares to its squares. Touches nothing else
/// and calls nothing.
void mix_steady(const float *source, float first, float second, float *bus, size_t count,
                Level *level) RT_SAFE;

/// The same with a gain for each frame.
void mix_moving(const float *source, const float *first, const float *second, float *bus, size_t count,
                Level *level) RT_SAFE;

/// The same, stored in `block` in place of what was there.
void make_steady(const float *source, float first, float second, float *block, size_t count,
                 Level *level) RT_SAFE;
void make_moving(const float *source, const float *first, const float *second, float *block, size_t count,
                 Level *level) RT_SAFE;

/// The same, added and not measured.
void add_steady(const float *source, float first, float second, float *bus, size_t count) RT_SAFE;
void add_moving(const float *source, const float *first, const float *second, float *bus,
                size_t count) RT_SAFE;

/// Where two channels go, and by which gains.
struct steady_send {
    float of_left, of_right;
    float *bus_left, *bus_right;
};

/// Adds two channels to those of each of `sends`, no two of which are the same: of each channel what
/// `add_steady` adds for `gain` and the send's own.
void add_to_sends(const float *left, const float *right, float gain, const struct steady_send *sends,
                  size_t send_count, size_t count) RT_SAFE;

/// Multiplies `bus` by a gain for each frame, and measures the result in the same way.
void scale_moving(float *bus, const float *gain, size_t count, Level *level) RT_SAFE;

/// Whether all samples of both sides are numbers: no infinity, no NaN.
int are_numbers(const float *left, const float *right, size_t count) RT_SAFE;

/// Copies samples, with silence in place of what is no number. Returns how many were none.
size_t silence_others(const float *source, float *target, size_t count) RT_SAFE;

/// Raises levels to the magnitudes of a channel's samples; what is no number raises none.
void raise_levels(const float *samples, double *levels, size_t count) RT_SAFE;

/// Takes levels for decibels, in their place, with an error below 1e-13 dB; -300 for those up to 1e-15.
void levels_to_decibels(double *levels, size_t count) RT_SAFE;

/// Takes decibels for gains, in their place, with a relative error below 1e-14: 10^(value / 20), from 2^-996
/// to 2^996; 0 dB are 1 to the last bit.
void decibels_to_gains(double *values, size_t count) RT_SAFE;

/// Multiplies samples by gains, and rounds once; by 1 leaves them as they are.
void scale_by(float *samples, const double *gains, size_t count) RT_SAFE;

/// Sections of an equaliser, 0 to 8 of them that run, in the order `order`. `steps` has for each of 8 six
/// numbers: a1, a2, a3 of Simper's state variable filter, and how much of what it hears, of its band and of
/// its low pass is heard. `memory` has for each of 8 what two channels' two integrators hold: first both of
/// one, then of the other.
struct filter_sections {
    const void *steps;
    void *memory;
    const long *order;
    size_t running;
};

/// Filters two channels in their place, in doubles, and rounds once. Where what comes out is no number it is
/// silence, and the memory is cleared. The channels may be one.
void filter_two(const struct filter_sections *sections, float *first, float *second, size_t count) RT_SAFE;
