// Runs commands of placard and of a C client that sends the same requests, alternately. Prints the medians of the
// processes' wall-clock and processor time, and the ratios.
//
// Usage: commands PLACARD CLIENT SOCKET ROUNDS
//
// PLACARD_SOCKET passes SOCKET to placard. The processor time is the process's user and system time (wait4) since
// posix_spawn. It excludes the service.

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct sample {
  double wall, processor;
};

struct command {
  const char *name;
  char *placard[5];  // The arguments.
  char *request[4];  // Method, path, body.
};

static const struct command commands[] = {
    {"show TEXT", {"show", "Lift out of order"}, {"PUT", "/v1/message", "{\"text\":\"Lift out of order\",\"wait\":false}"}},
    {"show --wait TEXT",
     {"show", "--wait", "Lift in order"},
     {"PUT", "/v1/message", "{\"text\":\"Lift in order\",\"wait\":true}"}},
    {"displays", {"displays"}, {"GET", "/v1/displays"}},
    {"health", {"health"}, {"GET", "/v1/health"}},
    {"sleep", {"sleep"}, {"PUT", "/v1/sleep", "{\"asleep\":true}"}},
    {"wake", {"wake"}, {"PUT", "/v1/sleep", "{\"asleep\":false}"}},
    {"show --clear", {"show", "--clear"}, {"DELETE", "/v1/message"}},
};
enum { count = sizeof commands / sizeof *commands };

static posix_spawn_file_actions_t silent;
extern char **environ;

static double milliseconds(struct timespec time) { return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6; }

static struct sample run(char **words) {
  struct timespec start, end;
  struct rusage usage;
  int status;
  pid_t process;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int error = posix_spawn(&process, words[0], &silent, NULL, words, environ);
  if (error != 0) {
    fprintf(stderr, "%s: %s\n", words[0], strerror(error));
    exit(1);
  }
  while (wait4(process, &status, 0, &usage) < 0)
    if (errno != EINTR) exit(1);
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (status != 0) {
    fprintf(stderr, "%s %s failed\n", words[0], words[1]);
    exit(1);
  }
  double processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
  return (struct sample){milliseconds(end) - milliseconds(start), processor};
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

static double median(double *values, size_t rounds) {
  qsort(values, rounds, sizeof *values, compare);
  return (values[(rounds - 1) / 2] + values[rounds / 2]) / 2;
}

int main(int argc, char **words) {
  size_t rounds = argc == 5 ? strtoul(words[4], NULL, 10) : 0;
  if (rounds == 0) return 2;
  setenv("PLACARD_SOCKET", words[3], 1);
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);

  // Indices: command, program (placard, C), measure (wall clock, processor).
  double *values[count][2][2];
  for (size_t place = 0; place < count * 4; place++)
    if (!((&values[0][0][0])[place] = calloc(rounds, sizeof(double)))) return 1;
  for (size_t round = 0; round < rounds; round++) {
    for (size_t turn = 0; turn < 2; turn++) {
      // The programs alternate in going first.
      size_t program = (round + turn) % 2;
      for (size_t place = 0; place < count; place++) {
        char *placard[8] = {words[1]}, *client[8] = {words[2], words[3]};
        memcpy(placard + 1, commands[place].placard, sizeof commands[place].placard);
        memcpy(client + 2, commands[place].request, sizeof commands[place].request);
        struct sample sample = run(program == 0 ? placard : client);
        values[place][program][0][round] = sample.wall;
        values[place][program][1][round] = sample.processor;
      }
    }
  }
  printf("| command, medians of %zu | placard, ms | C, ms | ratio | placard, CPU ms | C, CPU ms | ratio |\n", rounds);
  printf("|---|---:|---:|---:|---:|---:|---:|\n");
  for (size_t place = 0; place < count; place++) {
    printf("| %s", commands[place].name);
    for (size_t measure = 0; measure < 2; measure++) {
      double placard = median(values[place][0][measure], rounds), client = median(values[place][1][measure], rounds);
      printf(" | %.2f | %.2f | %.2f", placard, client, placard / client);
    }
    printf(" |\n");
  }
  return 0;
}
