// Interposes read(2) and pread(2): while the file named by $SLOW_DISK_STALL exists, reads of files whose path
// has "slow" in it wait; while the one named by $SLOW_DISK_FAIL exists, they fail. $SLOW_DISK_RATE is what
// all of them together get, in bytes a second; $SLOW_DISK_COUNT is a file that gets a byte for each such read
// behind a stall. What a bad disk does, at the moment the test chooses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// Sleeps for as long as the disk needs for so many bytes, behind those who came before.
static void deliver(size_t bytes) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static double free_at;
    const char *rate = getenv("SLOW_DISK_RATE");
    if (!rate) return;
    pthread_mutex_lock(&mutex);
    double start = now();
    if (free_at < start) free_at = start;
    free_at += bytes / atof(rate);
    double wait = free_at - start;
    pthread_mutex_unlock(&mutex);
    usleep((useconds_t)(wait * 1e6));
}

// Notes that a read goes on.
static void count_read(void) {
    const char *path = getenv("SLOW_DISK_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file < 0) return;
    if (write(file, ".", 1) != 1) abort();
    close(file);
}

// Returns -1 where the disk fails.
static int wait_for_disk(int descriptor, size_t count) {
    if ((exists("SLOW_DISK_STALL") || exists("SLOW_DISK_FAIL")) && is_slow(descriptor)) {
        while (exists("SLOW_DISK_STALL")) usleep(1000);
        if (exists("SLOW_DISK_FAIL")) {
            errno = EIO;
            return -1;
        }
    }
    if (getenv("SLOW_DISK_COUNT") && is_slow(descriptor)) count_read();
    if (getenv("SLOW_DISK_RATE") && is_slow(descriptor)) deliver(count);
    return 0;
}

ssize_t read(int descriptor, void *buffer, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    return wait_for_disk(descriptor, count) < 0 ? -1 : next(descriptor, buffer, count);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t place) {
    static ssize_t (*next)(int, void *, size_t, off_t);
    if (!next) next = (ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
    return wait_for_disk(descriptor, count) < 0 ? -1 : next(descriptor, buffer, count, place);
}

ssize_t pread64(int descriptor, void *buffer, size_t count, off64_t place) {
    return pread(descriptor, buffer, count, place);
}
