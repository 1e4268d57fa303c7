#define _GNU_SOURCE
#include "CRealtime.h"
#include <pthread.h>
#include <sched.h>

void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));

void rt_sanitizer_enter(void) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}
void rt_sanitizer_exit(void) {
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

// Not inline: the audit of the binary knows this as the one place where the audio thread calls through a
// pointer.
void rt_call_tap(void (*body)(void *, float *, float *, intptr_t), void *state, float *left, float *right,
                 intptr_t count) {
    body(state, left, right, count);
}

void rt_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int rt_core_count(void) {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}
