// Linux interfaces that Glibc's module does not export to Swift (netlink, inotify, signalfd and others), and calls that
// are variadic or macros in C.
#ifndef PLACARD_CLINUX_H
#define PLACARD_CLINUX_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
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
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <spawn.h>

// glibc declares these (since 2.29 and 2.34) only under _GNU_SOURCE, which must not be defined here.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// The hook through which Swift's concurrency runtime enqueues a job of the global executor (Swift's
// include/swift/Runtime/Concurrency.h). It is linked by name, because dlsym does not find it in a static build.
extern void *_Nullable swift_task_enqueueGlobal_hook;

static inline void placard_set_global_hook(void *_Nonnull hook) { swift_task_enqueueGlobal_hook = hook; }

// Returns errno, a macro that only Glibc's module exports as a variable.
static inline int placard_errno(void) { return errno; }

// Makes writes to a pipe without a reader fail with EPIPE. SIG_IGN is a cast, which Swift does not import.
static inline void placard_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// The result of getopt_long(3), whose variables Swift cannot read safely.
struct placard_option {
  // The return value: the option's `val`, 1 for a word, ':' or '?'; -1 at the end.
  int code;
  // optopt: the `val` of an option without its value or with an unwanted one; a letter; or 0.
  int failed;
  // optind: the index of the next word.
  int next;
  // optarg.
  char *_Nullable value;
};

// Reads the next option. A word that is no option has its place in the order.
static inline struct placard_option placard_next_option(
    int count, char *_Nullable *_Nonnull words, const struct option *_Nonnull options, int is_first) {
  if (is_first) optind = 0;
  int code = getopt_long(count, words, "-:", options, NULL);
  struct placard_option next = {code, optopt, optind, optarg};
  return next;
}

// Disables transparent huge pages for this process (prctl(2), PR_SET_THP_DISABLE). Swift does not import variadic
// calls.
static inline int placard_use_small_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

// Makes free() return blocks of one megabyte and more to the kernel at once. By default glibc retains up to twice the
// size of the largest block that was freed (mallopt(3), M_MMAP_THRESHOLD: the threshold is dynamic until it is set).
static inline int placard_give_back_large_pieces(void) { return mallopt(M_MMAP_THRESHOLD, 1 << 20); }

// Sets the name of the calling thread; on the main thread, also that of the process (prctl(2), PR_SET_NAME).
static inline int placard_name_thread(const char *_Nonnull name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Returns the number of columns of a terminal, or 0 if it is unknown (ioctl_tty(2), TIOCGWINSZ). Swift does not import
// variadic calls.
static inline int placard_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Returns a descriptor that becomes readable, with the error ECANCELED, when the system time is set (timerfd_create(2),
// TFD_TIMER_CANCEL_ON_SET), or -1. The timer itself expires in the year 2242, or where time_t has 32 bits, in 2038.
static inline int placard_watch_clock(void) {
  const time_t end = sizeof(time_t) > 4 ? (time_t)((int64_t)1 << 33) : (time_t)INT32_MAX;
  const struct itimerspec never = {.it_value = {.tv_sec = end}};
  const int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer < 0) return -1;
  int result;
  // ECANCELED: the clock was set during the call.
  do result = timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
  while (result < 0 && errno == ECANCELED);
  if (result == 0) return timer;
  const int error = errno;
  close(timer);
  errno = error;
  return -1;
}

// glibc defines O_PATH only under _GNU_SOURCE.
static const int placard_o_path = __O_PATH;

// Opens a path below a directory. A path or symbolic link that leads out of it fails with EXDEV (openat2(2), Linux
// 5.6).
static inline int placard_open_beneath(int folder, const char *_Nonnull path, int flags) {
  struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

#endif
