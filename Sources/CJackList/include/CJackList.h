#pragma once
#include <stddef.h>

// How many erased elements of libjack's lists are kept readable (CJackList.c); 0 under sanitizers, which
// watch freed memory themselves.
size_t jack_list_kept_elements(void);
