// libjpeg reports errors through a function that must not return. Here it jumps back to the call that failed. Only
// libjpeg's own frames are skipped, never a Swift frame.
#ifndef PLACARD_CJPEG_H
#define PLACARD_CJPEG_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf way_out;
  // The message of the error, or of the first warning.
  char words[JMSG_LENGTH_MAX];
  // The deadline for reading, in nanoseconds of CLOCK_MONOTONIC; 0 for none.
  uint64_t deadline;
  // Whether the deadline ended the reading.
  int is_late;
} placard_jpeg_reader;

static inline void placard_jpeg_fail(j_common_ptr info) {
  placard_jpeg_reader *reader = (placard_jpeg_reader *)info->client_data;
  info->err->format_message(info, reader->words);
  longjmp(reader->way_out, 1);
}

// Levels below 0 are warnings: the data is damaged, and reading continues.
static inline void placard_jpeg_hear(j_common_ptr info, int level) {
  placard_jpeg_reader *reader = (placard_jpeg_reader *)info->client_data;
  if (level >= 0) return;
  if (info->err->num_warnings++ == 0) info->err->format_message(info, reader->words);
}

// Limits the number of scans. Real images have about a dozen. A file of a few hundred bytes can claim thousands, each
// of which passes over the whole image (libjpeg-turbo's report LJT-01-005).
static inline void placard_jpeg_count(j_common_ptr info) {
  placard_jpeg_reader *reader = (placard_jpeg_reader *)info->client_data;
  if (reader->info.input_scan_number > 100) {
    strcpy(reader->words, "more than 100 scans");
    longjmp(reader->way_out, 1);
  }
  if (!reader->deadline) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec < reader->deadline) return;
  strcpy(reader->words, "it takes too long");
  reader->is_late = 1;
  longjmp(reader->way_out, 1);
}

// Starts reading a file in memory, which must outlive the reader, and reads its header. Returns NULL if allocation
// fails. Otherwise the caller must close the reader, even if `is_read` is 0 because the header could not be read.
static inline placard_jpeg_reader *placard_jpeg_open(const uint8_t *bytes, size_t count, int *is_read) {
  placard_jpeg_reader *reader = (placard_jpeg_reader *)calloc(1, sizeof *reader);
  *is_read = 0;
  if (!reader) return NULL;
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->info.client_data = reader;
  reader->errors.error_exit = placard_jpeg_fail;
  reader->errors.emit_message = placard_jpeg_hear;
  if (setjmp(reader->way_out)) return reader;
  jpeg_create_decompress(&reader->info);
  reader->progress.progress_monitor = placard_jpeg_count;
  reader->info.progress = &reader->progress;
  jpeg_mem_src(&reader->info, bytes, count);
  jpeg_save_markers(&reader->info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&reader->info, TRUE);
  *is_read = 1;
  return reader;
}

// Returns the size in bytes of the coefficients that libjpeg buffers for a multi-scan image; 0 for a single scan.
static inline size_t placard_jpeg_coefficient_bytes(const placard_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  if (!info->progressive_mode && info->comps_in_scan >= info->num_components) return 0;
  size_t count = 0;
  for (int index = 0; index < info->num_components; index++)
    count += (size_t)info->comp_info[index].width_in_blocks * info->comp_info[index].height_in_blocks;
  return count * DCTSIZE2 * sizeof(JCOEF);
}

// Starts decoding the image at `eighths` of its size. CMYK is kept; everything else becomes BGRA. Returns 0 on an
// error.
static inline int placard_jpeg_start(placard_jpeg_reader *reader, unsigned eighths) {
  if (setjmp(reader->way_out)) return 0;
  J_COLOR_SPACE space = reader->info.jpeg_color_space;
  reader->info.out_color_space = space == JCS_CMYK || space == JCS_YCCK ? JCS_CMYK : JCS_EXT_BGRA;
  reader->info.scale_num = eighths;
  reader->info.scale_denom = 8;
  jpeg_start_decompress(&reader->info);
  return 1;
}

// Reads the next row of `output_width` pixels of 4 bytes each. Returns 0 on an error.
static inline int placard_jpeg_read(placard_jpeg_reader *reader, uint8_t *row) {
  if (setjmp(reader->way_out)) return 0;
  return jpeg_read_scanlines(&reader->info, &row, 1) == 1;
}

static inline void placard_jpeg_close(placard_jpeg_reader *reader) {
  if (!setjmp(reader->way_out)) jpeg_destroy_decompress(&reader->info);
  free(reader);
}

// Returns the EXIF block, which starts with its name, or NULL if there is none.
static inline const uint8_t *placard_jpeg_exif(const placard_jpeg_reader *reader, size_t *count) {
  for (jpeg_saved_marker_ptr marker = reader->info.marker_list; marker; marker = marker->next) {
    if (marker->marker != JPEG_APP0 + 1 || marker->data_length < 6 || memcmp(marker->data, "Exif\0", 6)) continue;
    *count = marker->data_length;
    return marker->data;
  }
  *count = 0;
  return NULL;
}

typedef struct {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  jmp_buf way_out;
  // The file written so far.
  unsigned char *bytes;
  unsigned long count;
  // The message of the error.
  char words[JMSG_LENGTH_MAX];
} placard_jpeg_writer;

static inline void placard_jpeg_write_fail(j_common_ptr info) {
  placard_jpeg_writer *writer = (placard_jpeg_writer *)info->client_data;
  info->err->format_message(info, writer->words);
  longjmp(writer->way_out, 1);
}

// Encodes rows of red, green, and blue as a JPEG file, with chroma subsampled by 2 in each direction. Returns NULL if
// allocation fails. Otherwise the caller must release the writer, even if `is_written` is 0 because encoding failed.
static inline placard_jpeg_writer *placard_jpeg_write(
    const uint8_t *pixels, unsigned width, unsigned height, int quality, int *is_written) {
  placard_jpeg_writer *writer = (placard_jpeg_writer *)calloc(1, sizeof *writer);
  *is_written = 0;
  if (!writer) return NULL;
  writer->info.err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = placard_jpeg_write_fail;
  writer->info.client_data = writer;
  if (setjmp(writer->way_out)) return writer;
  jpeg_create_compress(&writer->info);
  jpeg_mem_dest(&writer->info, &writer->bytes, &writer->count);
  writer->info.image_width = width;
  writer->info.image_height = height;
  writer->info.input_components = 3;
  writer->info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&writer->info);
  jpeg_set_quality(&writer->info, quality, TRUE);
  jpeg_start_compress(&writer->info, TRUE);
  while (writer->info.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)writer->info.next_scanline * width * 3);
    jpeg_write_scanlines(&writer->info, &row, 1);
  }
  jpeg_finish_compress(&writer->info);
  *is_written = 1;
  return writer;
}

static inline void placard_jpeg_let_go(placard_jpeg_writer *writer) {
  if (!setjmp(writer->way_out)) jpeg_destroy_compress(&writer->info);
  free(writer->bytes);
  free(writer);
}

#endif
