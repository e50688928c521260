#ifndef PLACARD_CPNG_H
#define PLACARD_CPNG_H

#include <png.h>

// Function-like macros and sums of flags, which Swift does not import.
static const png_uint_32 placard_png_format_rgb = PNG_FORMAT_RGB;
static const png_uint_32 placard_png_format_bgra = PNG_FORMAT_BGRA;
static const png_uint_32 placard_png_format_light = PNG_FORMAT_LINEAR_RGB_ALPHA;
static const png_uint_32 placard_png_format_linear = PNG_FORMAT_FLAG_LINEAR;
static const png_uint_32 placard_png_format_alpha = PNG_FORMAT_FLAG_ALPHA;
static const png_uint_32 placard_png_image_version = PNG_IMAGE_VERSION;
static const png_uint_32 placard_png_flag_fast = PNG_IMAGE_FLAG_FAST;
static const png_uint_32 placard_png_flag_16_bit_srgb = PNG_IMAGE_FLAG_16BIT_sRGB;
static inline size_t placard_png_size_max(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

#endif
