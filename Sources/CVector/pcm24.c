#include "CVector.h"

#if defined(__x86_64__)
#include <tmmintrin.h>

__attribute__((target("ssse3"))) static size_t shuffled(const char *source, float *left, float *right, size_t count) {
    // Two frames of 12 bytes become left, left, right, right, each in the upper three bytes of its word.
    const __m128i order = _mm_setr_epi8(-1, 0, 1, 2, -1, 6, 7, 8, -1, 3, 4, 5, -1, 9, 10, 11);
    const __m128 scale = _mm_set1_ps(0x1p-31f);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i a = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(source + 6 * i)), order);
        __m128i b = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(source + 6 * i + 12)), order);
        _mm_storeu_ps(left + i, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpacklo_epi64(a, b)), scale));
        _mm_storeu_ps(right + i, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpackhi_epi64(a, b)), scale));
    }
    return i;
}

size_t pcm24_stereo(const void *source, float *left, float *right, size_t count) {
    return __builtin_cpu_supports("ssse3") ? shuffled(source, left, right, count) : 0;
}
#else
size_t pcm24_stereo(const void *source, float *left, float *right, size_t count) { return 0; }
#endif
