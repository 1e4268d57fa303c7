// Interposes read(2): while the file named by $SLOW_DISK_STALL exists, reads of files whose path has "slow" in it wait; while the
// one named by $SLOW_DISK_FAIL exists, they fail. What a bad disk does, at the moment the test chooses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_slow(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strstr(path, "slow") != NULL;
}

static int exists(const char *variable) {
    const char *path = getenv(variable);
    return path && access(path, F_OK) == 0;
}

ssize_t read(int descriptor, void *buffer, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    if ((exists("SLOW_DISK_STALL") || exists("SLOW_DISK_FAIL")) && is_slow(descriptor)) {
        while (exists("SLOW_DISK_STALL")) usleep(1000);
        if (exists("SLOW_DISK_FAIL")) {
            errno = EIO;
            return -1;
        }
    }
    return next(descriptor, buffer, count);
}
