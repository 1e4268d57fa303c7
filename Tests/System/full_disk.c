// Interposes write(2): in the folder $FULL_DISK, and below it, there is no room; where $FULL_DISK_SWITCH
// names a file, as long as that is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *folder = getenv("FULL_DISK");
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (folder && length > 0) {
        path[length] = 0;
        size_t shared = strlen(folder);
        const char *when = getenv("FULL_DISK_SWITCH");
        if (when && access(when, F_OK) != 0) return real(file, bytes, count);
        // What a file has room for already can be written over.
        struct stat info;
        off_t place = lseek(file, 0, SEEK_CUR);
        if (place >= 0 && fstat(file, &info) == 0 && place + (off_t)count <= info.st_size)
            return real(file, bytes, count);
        if (strncmp(path, folder, shared) == 0 && (path[shared] == '/' || path[shared] == 0)) {
            errno = ENOSPC;
            return -1;
        }
    }
    return real(file, bytes, count);
}
