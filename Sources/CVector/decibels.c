#include "CVector.h"
#include "Processors.h"
#include <stdint.h>
#include <string.h>

// Each loop goes over numbers that do not know of each other, so that the compiler takes as many at once as a
// register holds. No multiply-add: it would round once where others round twice.

// Of a level above 0: its exponent by its bits, and the series of the inverse hyperbolic tangent to the 17th
// power of z = (m - 1) / (m + 1), |z| < 0.172. The error is below 1e-13 dB.
INLINE double decibels(double level) {
#pragma clang fp contract(off)
    uint64_t bits;
    memcpy(&bits, &level, sizeof bits);
    double exponent = (int32_t)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof bits);
    int is_upper = mantissa > 1.41421356237309505;
    mantissa = is_upper ? mantissa * 0.5 : mantissa;
    exponent = is_upper ? exponent + 1 : exponent;
    double z = (mantissa - 1) / (mantissa + 1);
    double u = z * z;
    double sum = 1 / 17.0;
    sum = sum * u + 1 / 15.0;
    sum = sum * u + 1 / 13.0;
    sum = sum * u + 1 / 11.0;
    sum = sum * u + 1 / 9.0;
    sum = sum * u + 1 / 7.0;
    sum = sum * u + 1 / 5.0;
    sum = sum * u + 1 / 3.0;
    sum = sum * u + 1;
    // 20 log10(2), and 20 log10(e), for the logarithm is 2 z sum.
    return exponent * 6.02059991327962390427 + 17.3717792761300731 * z * sum;
}

// A power of two by its bits, the rest by the Taylor series of e^t to the 12th power, |t| < 0.347. The
// relative error is below 1e-14.
INLINE double gain(double decibels) {
#pragma clang fp contract(off)
    double x = decibels / 6.02059991327962390427;
    x = x >= -996 ? x : -996;
    x = x < 996 ? x : 996;
    int32_t whole = (int32_t)x;
    whole = whole > x ? whole - 1 : whole;
    double t = (x - whole - 0.5) * 0.693147180559945309417;
    double sum = 1 / 479001600.0;
    sum = sum * t + 1 / 39916800.0;
    sum = sum * t + 1 / 3628800.0;
    sum = sum * t + 1 / 362880.0;
    sum = sum * t + 1 / 40320.0;
    sum = sum * t + 1 / 5040.0;
    sum = sum * t + 1 / 720.0;
    sum = sum * t + 1 / 120.0;
    sum = sum * t + 1 / 24.0;
    sum = sum * t + 1 / 6.0;
    sum = sum * t + 0.5;
    sum = sum * t + 1;
    sum = sum * t + 1;
    uint64_t bits = (uint64_t)(whole + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof bits);
    // sqrt 2, for the series lies about the middle. What is not changed is 1 to the last bit.
    return decibels == 0 ? 1 : sum * 1.41421356237309504880 * power;
}

EACH(
    raise_levels, (const float *samples, double *levels, size_t count), (samples, levels, count),
    for (size_t i = 0; i < count; i++) {
        double size = __builtin_fabsf(samples[i]);
        levels[i] = size > levels[i] ? size : levels[i];
    })

EACH(levels_to_decibels, (double *levels, size_t count), (levels, count),
     for (size_t i = 0; i < count; i++) levels[i] = levels[i] > 1e-15 ? decibels(levels[i]) : -300)

EACH(decibels_to_gains, (double *values, size_t count), (values, count),
     for (size_t i = 0; i < count; i++) values[i] = gain(values[i]))

EACH(
    scale_by, (float *samples, const double *gains, size_t count), (samples, gains, count),
    for (size_t i = 0; i < count; i++) {
        float scaled = (float)(samples[i] * gains[i]);
        samples[i] = gains[i] == 1 ? samples[i] : scaled;
    })
