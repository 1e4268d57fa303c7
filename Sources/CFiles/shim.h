#pragma once
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
// pipe2(2) with O_CLOEXEC, which Swift's Glibc does not have: no program that another thread starts meanwhile
// gets an end of it.
int pipe2(int ends[2], int flags);
static inline int files_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
// sync_file_range(2), which Swift's Glibc does not have: all that is written by now sets out for the disk,
// and it is not waited for until it is there (SYNC_FILE_RANGE_WRITE).
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned flags);
static inline void files_send_to_disk(int descriptor) { sync_file_range(descriptor, 0, 0, 2u); }
// renameat2(2) with RENAME_NOREPLACE, which Swift's Glibc does not have: 0, or -1 with errno. File systems
// that do not know it say EINVAL.
static inline int files_rename_to_free_name(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);
}
// The same with RENAME_EXCHANGE: each gets the other's name.
static inline int files_exchange_names(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2u);
}
