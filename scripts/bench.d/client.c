// Sends one request to the service's socket, reads the response and writes its body to standard output. It measures the
// cost of a client that does nothing else.
//
// Usage: client SOCKET METHOD PATH [BODY]

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0) fail("write");
    bytes += written;
    count -= (size_t)written;
  }
}

// Returns the offset of the body, or 0 if the response is incomplete.
static size_t body_of_whole(const char *answer, size_t count) {
  const char *end = strstr(answer, "\r\n\r\n");
  if (!end) return 0;
  size_t start = (size_t)(end + 4 - answer);
  const char *length = strcasestr(answer, "\r\ncontent-length:");
  if (!length || length > end) return 0;
  return count - start >= strtoul(length + 17, NULL, 10) ? start : 0;
}

int main(int count, char **words) {
  if (count < 4) return 2;
  const char *body = count > 4 ? words[4] : "";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
  int service = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (service < 0 || connect(service, (struct sockaddr *)&address, sizeof address) < 0) fail(words[1]);

  static char request[8192];
  int length = snprintf(
      request, sizeof request,
      "%s %s HTTP/1.1\r\n%shost: placard\r\nconnection: close\r\ncontent-length: %zu\r\n\r\n%s", words[2], words[3],
      *body ? "content-type: application/json\r\n" : "", strlen(body), body);
  if (length < 0 || (size_t)length >= sizeof request) return 2;
  write_all(service, request, (size_t)length);

  static char answer[1 << 16];
  size_t filled = 0, start = 0;
  while (!(start = body_of_whole(answer, filled))) {
    ssize_t got = read(service, answer + filled, sizeof answer - 1 - filled);
    if (got < 0) fail("read");
    if (got == 0) return 1;
    filled += (size_t)got;
    answer[filled] = 0;
  }
  write_all(STDOUT_FILENO, answer + start, filled - start);
  return strncmp(answer, "HTTP/1.1 200 ", 13) != 0;
}
