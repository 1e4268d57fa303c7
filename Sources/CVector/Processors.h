#pragma once
// How a loop is compiled for more than one kind of processor.

// The widest registers that are taken, in bits: less of them makes the same sounds more slowly, which a test
// shows.
#ifndef WIDEST
#define WIDEST 512
#endif

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 WIDEST >= 256 && __builtin_cpu_supports("avx2")
#define WITH_AVX512 __attribute__((target("avx512f")))
#define HAS_AVX512 WIDEST >= 512 && __builtin_cpu_supports("avx512f")
#else
#define WITH_AVX2
#define HAS_AVX2 0
#define WITH_AVX512
#define HAS_AVX512 0
#endif

#define INLINE static inline __attribute__((always_inline))

// A function for every processor and for those with wider registers, the widest chosen when it is called.
#define EACH(name, parameters, arguments, ...) \
    INLINE void name##_all parameters { __VA_ARGS__; } \
    WITH_AVX2 static void name##_avx2 parameters { name##_all arguments; } \
    WITH_AVX512 static void name##_avx512 parameters { name##_all arguments; } \
    void name parameters { \
        if (HAS_AVX512) return name##_avx512 arguments; \
        if (HAS_AVX2) return name##_avx2 arguments; \
        name##_all arguments; \
    }
