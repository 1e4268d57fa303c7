#pragma once
#include "Processors.h"

// Eight lanes whatever the processor has: the sums are the same everywhere.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
typedef int masks __attribute__((vector_size(32), aligned(4)));
typedef float half __attribute__((vector_size(16)));

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
