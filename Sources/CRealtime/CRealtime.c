#define _GNU_SOURCE
#include "CRealtime.h"
#include <pthread.h>

void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));

void rt_sanitizer_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
void rt_sanitizer_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }

void rt_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
