#pragma once
#include <stddef.h>

/// Makes floats of stereo frames of 24 bits, little-endian: `sample / 2^23`, exact. Reads up to 8 bytes beyond the last frame.
/// Returns how many of `count` frames it has done: a multiple of 4, or 0 where the processor has no byte shuffle (SSSE3), which Swift cannot say.
size_t pcm24_stereo(const void *source, float *left, float *right, size_t count);
