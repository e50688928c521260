// What Glibc's module hides from Swift: netlink, inotify, signal descriptors, and calls that are
// variadic or macros in C.
#ifndef PLACARD_CLINUX_H
#define PLACARD_CLINUX_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/vt.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <spawn.h>

// glibc (2.29, 2.34) declares these under _GNU_SOURCE only, which must not be defined here.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// Where Swift's concurrency runtime asks what to do with a job of the global executor (Swift's
// include/swift/Runtime/Concurrency.h). Linked by name, since dlsym does not find it in a static build.
extern void *_Nullable swift_task_enqueueGlobal_hook;

static inline void placard_set_global_hook(void *_Nonnull hook) { swift_task_enqueueGlobal_hook = hook; }

// errno is a macro that only Glibc's module has as a variable.
static inline int placard_errno(void) { return errno; }

// Makes writes to a pipe without a reader fail with EPIPE. SIG_IGN is a cast, which Swift does not import.
static inline void placard_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// Keeps this process's memory in small pages (prctl(2), PR_SET_THP_DISABLE): variadic calls are not imported.
static inline int placard_use_small_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

// What is allocated in pieces of a megabyte and more goes back to the kernel with its last use. Left alone, glibc keeps as
// much as twice the largest piece that was ever freed (mallopt(3), M_MMAP_THRESHOLD: the threshold is dynamic until it is set).
static inline int placard_give_back_large_pieces(void) { return mallopt(M_MMAP_THRESHOLD, 1 << 20); }

// The name of the calling thread, and of the process where it is the main thread (prctl(2), PR_SET_NAME).
static inline int placard_name_thread(const char *_Nonnull name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// The columns of a terminal; 0 if they are not known (ioctl_tty(2), TIOCGWINSZ): variadic calls are not imported.
static inline int placard_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// glibc has O_PATH under _GNU_SOURCE only.
static const int placard_o_path = __O_PATH;

// Opens what is below a folder: a path or a symbolic link that leads out of it fails with EXDEV (openat2(2), Linux 5.6).
static inline int placard_open_beneath(int folder, const char *_Nonnull path, int flags) {
  struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

#endif
