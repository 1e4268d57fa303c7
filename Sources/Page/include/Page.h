#pragma once
/// The page that `jmix run --web` serves, as it lies in folder `page`: part of the program, so that nothing
/// has to be installed beside it.
#include <stddef.h>

struct page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// All files, ended by one without a name.
const struct page_file *page_files(void);
