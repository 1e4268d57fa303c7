#pragma once
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
// renameat2(2) with RENAME_NOREPLACE, which Swift's Glibc does not have: 0, or -1 with errno. File systems that do not know it say EINVAL.
static inline int files_rename_to_free_name(const char *from, const char *to) { return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u); }
