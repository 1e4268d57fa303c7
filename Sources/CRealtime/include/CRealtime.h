#pragma once
/// What the audio thread needs and Swift cannot say. Each function marked RT_SAFE may be called from code
/// that the Swift compiler checks with `@_noLocks`; each says here why that is true.
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#pragma clang assume_nonnull begin

#define RT_SAFE __attribute__((swift_attr("@_noLocks")))

/// Numbers below 1e-38 count as zero on this thread (FTZ and DAZ): they cost up to a hundred times as much
/// and are not heard. Sets a processor register: of x86 FTZ and DAZ in MXCSR, of arm64 FZ in FPCR.
static inline void rt_flush_denormals(void) RT_SAFE;

/// That register, for threads that are someone else's and have to have it back as it was.
static inline uint64_t rt_float_mode(void);
static inline void rt_set_float_mode(uint64_t mode);

#if defined(__x86_64__)
static inline void rt_flush_denormals(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
static inline uint64_t rt_float_mode(void) { return _mm_getcsr(); }
static inline void rt_set_float_mode(uint64_t mode) { _mm_setcsr((unsigned)mode); }
#elif defined(__aarch64__)
static inline uint64_t rt_float_mode(void) {
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static inline void rt_set_float_mode(uint64_t mode) { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }
static inline void rt_flush_denormals(void) { rt_set_float_mode(rt_float_mode() | 1u << 24); }
#else
#error "how this processor flushes denormals is not known yet"
#endif

/// Wakes one thread that waits on the semaphore. sem_post is async-signal-safe (POSIX): it never blocks and
/// takes no lock.
static inline void rt_post(sem_t *semaphore) RT_SAFE;
static inline void rt_post(sem_t *semaphore) { sem_post(semaphore); }

/// Nanoseconds of the monotonic clock, read through the vDSO without entering the kernel.
static inline int64_t rt_now(void) RT_SAFE;
static inline int64_t rt_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Asks the processor to fetch a line of memory that is about to be read. A hint: it waits for nothing.
static inline void rt_prefetch(const void *address) RT_SAFE;
static inline void rt_prefetch(const void *address) { __builtin_prefetch(address); }

/// RealtimeSanitizer's marks for the code between them; nothing where it is not linked.
void rt_sanitizer_enter(void) RT_SAFE;
void rt_sanitizer_exit(void) RT_SAFE;

/// Calls code that may block, from the audio thread: only where the one who drives it waits, as in freewheel
/// and offline.
static inline void rt_leave_realtime(void (*body)(void *_Nullable, int64_t), void *_Nullable context,
                                     int64_t frames) RT_SAFE;
static inline void rt_leave_realtime(void (*body)(void *_Nullable, int64_t), void *_Nullable context,
                                     int64_t frames) {
    rt_sanitizer_exit();
    body(context, frames);
    rt_sanitizer_enter();
}

/// Calls a tap: code of the user's, who promises that it is fit for the audio thread.
void rt_call_tap(void (*body)(void *_Nullable, float *, float *, intptr_t), void *_Nullable state,
                 float *left, float *right, intptr_t count) RT_SAFE;

/// Names the calling thread, for `top -H` and gdb. Not for the audio thread.
void rt_name_thread(const char *name);

/// How many cores this program may use; 1 where nobody knows. Not for the audio thread.
int rt_core_count(void);

#pragma clang assume_nonnull end
