/* Detects pauses of the whole machine. A real-time thread on each processor sleeps for two milliseconds at a time and
 * prints each wake-up that is at least eight milliseconds late. In an emulator, such a pause means that the emulator
 * did not run. Times are microseconds of CLOCK_MONOTONIC. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void *beat(void *number) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET((long)number, &own);
  struct sched_param priority = {.sched_priority = 90};
  if (sched_setaffinity(0, sizeof own, &own)) perror("heartbeat: sched_setaffinity");
  if (sched_setscheduler(0, SCHED_FIFO, &priority)) {
    perror("heartbeat: sched_setscheduler");
    exit(1);
  }
  struct timespec pause = {0, 2000000};
  for (int64_t last = now();; last = now()) {
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    int64_t end = now();
    if (end - last < 10000) continue;
    printf("still %lld %lld\n", (long long)last, (long long)end);
    fflush(stdout);
  }
  return NULL;
}

int main(void) {
  mlockall(MCL_CURRENT | MCL_FUTURE);
  for (long number = 0; number < sysconf(_SC_NPROCESSORS_ONLN); number++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, beat, (void *)number)) return perror("heartbeat: pthread_create"), 1;
  }
  puts("beats");
  fflush(stdout);
  pause();
}
