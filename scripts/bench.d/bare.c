/* The minimal program that shows a frame, for comparison: opens the card, fills a dumb buffer for the first mode of the
 * first connected monitor, sets it with SetCrtc, and waits for a signal. Linked with line.c, it also draws text. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

/* Defined in line.c. */
__attribute__((weak)) int draw_line(const char *text, uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t height);

static drmModeConnector *connected(int card, drmModeRes *resources) {
  for (int i = 0; i < resources->count_connectors; i++) {
    drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[i]);
    if (connector && connector->connection == DRM_MODE_CONNECTED && connector->count_modes) return connector;
    drmModeFreeConnector(connector);
  }
  return NULL;
}

static uint32_t crtc(int card, drmModeRes *resources, drmModeConnector *connector) {
  drmModeEncoder *encoder = drmModeGetEncoder(card, connector->encoders[0]);
  for (int i = 0; encoder && i < resources->count_crtcs; i++)
    if (encoder->possible_crtcs & 1u << i) return resources->crtcs[i];
  return 0;
}

static int fail(const char *what) {
  perror(what);
  return 1;
}

int main(void) {
  int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
  if (card < 0) return fail("open /dev/dri/card0");
  drmModeRes *resources = drmModeGetResources(card);
  if (!resources) return fail("get the resources");
  drmModeConnector *connector = connected(card, resources);
  if (!connector) return fail("find a connected monitor");
  drmModeModeInfo mode = connector->modes[0];
  uint32_t handle, pitch, frame;
  uint64_t size, offset;
  if (drmModeCreateDumbBuffer(card, mode.hdisplay, mode.vdisplay, 32, 0, &handle, &pitch, &size))
    return fail("create a dumb buffer");
  if (drmModeAddFB(card, mode.hdisplay, mode.vdisplay, 24, 32, pitch, handle, &frame)) return fail("add a framebuffer");
  if (drmModeMapDumbBuffer(card, handle, &offset)) return fail("map the buffer");
  uint32_t *pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, card, offset);
  if (pixels == MAP_FAILED) return fail("map the buffer");
  for (uint64_t i = 0; i < size / 4; i++) pixels[i] = 0x400000;
  const char *text = "Welcome to Building 4: please sign in at the front desk";
  if (draw_line && draw_line(text, pixels, pitch, mode.hdisplay, mode.vdisplay)) return fail("draw the line");
  if (drmModeSetCrtc(card, crtc(card, resources, connector), frame, 0, 0, &connector->connector_id, 1, &mode))
    return fail("set the mode");
  puts("lit");
  fflush(stdout);
  pause();
  return 0;
}
