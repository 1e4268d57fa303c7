#pragma once
#include <sndfile.h>
#include <stdint.h>
// A macro that Swift does not import: what libsndfile says of a length that it cannot know.
static inline int64_t jmix_sf_count_max(void) { return SF_COUNT_MAX; }
