/* A minimal scrolling line, for comparison: sets the first mode of a card's connected monitor. After each flip, it
 * copies a band of pixels one step further and requests the next flip. It prints the number of missed frames (by the
 * kernel's vblank count) and their time in microseconds of CLOCK_MONOTONIC. On SIGTERM it prints the total number of
 * frames. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

struct buffer {
  uint32_t frame, pitch;
  char *pixels;
};

static volatile sig_atomic_t ended;
static uint64_t pictures, missed;
static uint32_t last;

static void end(int number) {
  (void)number;
  ended = 1;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static struct buffer allocate(int card, drmModeModeInfo *mode) {
  struct buffer buffer;
  uint32_t handle;
  uint64_t size, offset;
  if (drmModeCreateDumbBuffer(card, mode->hdisplay, mode->vdisplay, 32, 0, &handle, &buffer.pitch, &size))
    fail("create a dumb buffer");
  if (drmModeAddFB(card, mode->hdisplay, mode->vdisplay, 24, 32, buffer.pitch, handle, &buffer.frame))
    fail("add a framebuffer");
  if (drmModeMapDumbBuffer(card, handle, &offset)) fail("map the buffer");
  buffer.pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, card, offset);
  if (buffer.pixels == MAP_FAILED) fail("map the buffer");
  memset(buffer.pixels, 0, size);
  return buffer;
}

static drmModeConnector *connected(int card, drmModeRes *resources) {
  for (int i = 0; i < resources->count_connectors; i++) {
    drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[i]);
    if (connector && connector->connection == DRM_MODE_CONNECTED && connector->count_modes) return connector;
    drmModeFreeConnector(connector);
  }
  errno = ENODEV;
  fail("find a connected monitor");
  return NULL;
}

static void flipped(int card, unsigned sequence, unsigned seconds, unsigned microseconds, void *data) {
  (void)card, (void)data;
  uint32_t passed = pictures ? sequence - last : 1;
  last = sequence;
  pictures++;
  if (passed < 2) return;
  missed += passed - 1;
  printf("missed %u before %llu\n", passed - 1, seconds * 1000000ULL + microseconds);
}

int main(int count, char **arguments) {
  if (count != 2) return fprintf(stderr, "usage: ticker DEVICE\n"), 64;
  int card = open(arguments[1], O_RDWR | O_CLOEXEC);
  if (card < 0) fail(arguments[1]);
  drmModeRes *resources = drmModeGetResources(card);
  if (!resources || !resources->count_crtcs) fail("get the resources");
  drmModeConnector *connector = connected(card, resources);
  drmModeModeInfo mode = connector->modes[0];
  struct buffer buffers[2] = {allocate(card, &mode), allocate(card, &mode)};
  uint32_t crtc = resources->crtcs[0];
  if (drmModeSetCrtc(card, crtc, buffers[0].frame, 0, 0, &connector->connector_id, 1, &mode)) fail("set the mode");
  /* The band has a quarter of the height, as in the service. */
  size_t row = mode.hdisplay * 4, height = mode.vdisplay / 4, strip_row = 2 * row;
  char *strip = calloc(height, strip_row);
  if (!strip) fail("allocate the strip");
  for (size_t i = 0; i < height * strip_row; i++) strip[i] = (char)(i * 31);
  signal(SIGTERM, end);
  drmEventContext context = {.version = 2, .page_flip_handler = flipped};
  struct pollfd event = {.fd = card, .events = POLLIN};
  printf("scrolls on %ux%u\n", mode.hdisplay, mode.vdisplay);
  fflush(stdout);
  for (uint64_t step = 1; !ended; step++) {
    struct buffer *back = &buffers[step % 2];
    size_t distance = step * 4 % mode.hdisplay * 4;
    for (size_t y = 0; y < height; y++)
      memcpy(back->pixels + (y + height) * back->pitch, strip + y * strip_row + distance, row);
    if (drmModePageFlip(card, crtc, back->frame, DRM_MODE_PAGE_FLIP_EVENT, NULL)) fail("flip");
    while (poll(&event, 1, 2000) < 0 && errno == EINTR && !ended);
    if (event.revents & POLLIN) drmHandleEvent(card, &context);
  }
  printf("pictures %llu\n", (unsigned long long)(pictures + missed));
  return 0;
}
