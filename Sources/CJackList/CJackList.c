// Keeps a race in libjack from being fatal (jack2's issue 216, open in 1.9.21).
//
// libjack has a std::list of a client's ports. Its notification thread walks it whenever latencies are told,
// which is after any change of the graph by anybody; and jack_port_unregister erases from it on the thread
// that calls it, without a lock. A walker that stands on the element just erased goes on to wherever the
// freed memory leads it: a mixer whose strips came and went crashed, or never answered again, once in some
// hundred thousand edits.
//
// An erased element still leads to the one behind it as long as nobody writes over it. So what C++ code frees
// of that size is freed a few thousand frees later, long after any walk has ended: libjack calls this
// function, as the program comes before the C++ library where names are looked up. That takes a program that
// exports it (Package.swift: the linker's flag of `jmix`): other programs with JmixPlayer want the same flag.
#include "CJackList.h"

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    // What malloc gives for two pointers and a number.
    element_bytes = 24,
    waiting_count = 4096
};

static _Atomic(void *) waiting[waiting_count];
static atomic_uint next_place;

// operator delete(void *).
__attribute__((visibility("default"))) void _ZdlPv(void *memory) {
    if (memory && malloc_usable_size(memory) == element_bytes) {
        unsigned place = atomic_fetch_add_explicit(&next_place, 1, memory_order_relaxed) % waiting_count;
        memory = atomic_exchange_explicit(&waiting[place], memory, memory_order_acq_rel);
    }
    free(memory);
}

// Whoever asks has the linker keep the function above, which nothing here calls.
size_t jack_list_kept_elements(void) {
    void (*volatile function)(void *) = _ZdlPv;
    return function ? waiting_count : 0;
}
#else
size_t jack_list_kept_elements(void) { return 0; }
#endif
