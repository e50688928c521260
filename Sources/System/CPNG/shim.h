#ifndef PLACARD_CPNG_H
#define PLACARD_CPNG_H

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// Swift does not import function-like macros and sums of flags.
static const png_uint_32 placard_png_format_rgb = PNG_FORMAT_RGB;
static const png_uint_32 placard_png_format_bgra = PNG_FORMAT_BGRA;
static const png_uint_32 placard_png_format_light = PNG_FORMAT_LINEAR_RGB_ALPHA;
static const png_uint_32 placard_png_format_linear = PNG_FORMAT_FLAG_LINEAR;
static const png_uint_32 placard_png_format_alpha = PNG_FORMAT_FLAG_ALPHA;
static const png_uint_32 placard_png_image_version = PNG_IMAGE_VERSION;
static const png_uint_32 placard_png_flag_fast = PNG_IMAGE_FLAG_FAST;
static const png_uint_32 placard_png_flag_16_bit_srgb = PNG_IMAGE_FLAG_16BIT_sRGB;
static inline size_t placard_png_size_max(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

// A reader of a PNG file row by row. libpng reports errors through a function that must not return: it jumps back to
// the call that failed. Only libpng's own frames are skipped.
typedef struct {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t left;
  jmp_buf way_out;
  // The message of the error.
  char words[128];
} placard_png_reader;

static inline void placard_png_fail(png_structp png, png_const_charp words) {
  placard_png_reader *reader = (placard_png_reader *)png_get_error_ptr(png);
  strncpy(reader->words, words, sizeof reader->words - 1);
  longjmp(reader->way_out, 1);
}

static inline void placard_png_ignore(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}

static inline void placard_png_take(png_structp png, png_bytep target, size_t count) {
  placard_png_reader *reader = (placard_png_reader *)png_get_io_ptr(png);
  if (count > reader->left) png_error(png, "Read Error: truncated data");
  memcpy(target, reader->bytes, count);
  reader->bytes += count;
  reader->left -= count;
}

// Starts reading a file in memory, which must outlive the reader, and reads its header. Rows have 8 bits each of blue,
// green, red, and alpha, in sRGB, without premultiplied alpha. Returns NULL if allocation fails. Otherwise the caller
// must close the reader, even if `is_read` is 0 because the header could not be read.
static inline placard_png_reader *placard_png_open(const uint8_t *bytes, size_t count, int *is_read) {
  placard_png_reader *reader = (placard_png_reader *)calloc(1, sizeof *reader);
  *is_read = 0;
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->left = count;
  if (setjmp(reader->way_out)) return reader;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, placard_png_fail, placard_png_ignore);
  if (!reader->png) return reader;
  reader->info = png_create_info_struct(reader->png);
  if (!reader->info) return reader;
  png_set_read_fn(reader->png, reader, placard_png_take);
  // Like the simplified API, treat a file without color space information as sRGB.
  png_set_alpha_mode(reader->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_read_info(reader->png, reader->info);
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_bgr(reader->png);
  png_set_add_alpha(reader->png, 255, PNG_FILLER_AFTER);
  png_read_update_info(reader->png, reader->info);
  *is_read = png_get_rowbytes(reader->png, reader->info) == 4 * (size_t)png_get_image_width(reader->png, reader->info);
  return reader;
}

// Reads the next row. Returns 0 on an error.
static inline int placard_png_read(placard_png_reader *reader, uint8_t *row) {
  if (setjmp(reader->way_out)) return 0;
  png_read_row(reader->png, row, NULL);
  return 1;
}

static inline void placard_png_close(placard_png_reader *reader) {
  if (!setjmp(reader->way_out)) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

#endif
