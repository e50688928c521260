// libdrm, plus constants for macros that Swift cannot import.
#ifndef PLACARD_CDRM_H
#define PLACARD_CDRM_H

#include <stdint.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

static const uint32_t PLACARD_FORMAT_XRGB8888 = DRM_FORMAT_XRGB8888;
static const uint32_t PLACARD_FORMAT_RGB565 = DRM_FORMAT_RGB565;

#endif
