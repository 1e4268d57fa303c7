// Stands before the C library: notes in the file that CLOSES names whoever closes what is not open.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int close(int descriptor) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    int result = next(descriptor), reason = errno;
    const char *name = getenv("CLOSES");
    if (result != 0 && reason == EBADF && name) {
        FILE *file = fopen(name, "a");
        if (file) {
            fprintf(file, "%d\n", descriptor);
            fclose(file);
        }
    }
    errno = reason;
    return result;
}
