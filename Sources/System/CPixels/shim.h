// Copies of whole lines, and nontemporal stores, which Swift cannot express. Also rotations of blocks of pixels, which
// are three times as fast as a Swift loop that moves single pixels.
#ifndef PLACARD_CPIXELS_H
#define PLACARD_CPIXELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Copies whole 64-byte lines from any address to a 16-byte aligned one with nontemporal stores. An ordinary store first
// reads the line that it overwrites; for a frame larger than the caches, that is half of all memory traffic
// (Intel SDM 10.4.6.2, AMD APM 1 9.9.1).
static inline void placard_stream_lines(void *target, const void *source, size_t lines) {
#if defined(__SSE2__)
  __m128i *to = (__m128i *)target;
  const __m128i *from = (const __m128i *)source;
  for (size_t i = 0; i < lines * 4; i += 4) {
    _mm_stream_si128(to + i, _mm_loadu_si128(from + i));
    _mm_stream_si128(to + i + 1, _mm_loadu_si128(from + i + 1));
    _mm_stream_si128(to + i + 2, _mm_loadu_si128(from + i + 2));
    _mm_stream_si128(to + i + 3, _mm_loadu_si128(from + i + 3));
  }
#else
  memcpy(target, source, lines * 64);
#endif
}

// Copies like placard_stream_lines, but with ordinary stores, for data that fits into the caches. It does not use
// memcpy: the startup cost of microcoded string moves on many processors exceeds the gain for the 15 KB of a row, and
// an emulated one moves single bytes.
static inline void placard_copy_lines(void *target, const void *source, size_t lines) {
#if defined(__SSE2__)
  __m128i *to = (__m128i *)target;
  const __m128i *from = (const __m128i *)source;
  for (size_t i = 0; i < lines * 4; i += 4) {
    _mm_store_si128(to + i, _mm_loadu_si128(from + i));
    _mm_store_si128(to + i + 1, _mm_loadu_si128(from + i + 1));
    _mm_store_si128(to + i + 2, _mm_loadu_si128(from + i + 2));
    _mm_store_si128(to + i + 3, _mm_loadu_si128(from + i + 3));
  }
#else
  memcpy(target, source, lines * 64);
#endif
}

// Orders streamed lines before later stores, as seen by other cores.
static inline void placard_stream_end(void) {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Transposes pixels: each of `rows` lines of `columns` pixels becomes a column. `step` and `pitch` are the byte
// distances between lines of the source and of the target. A negative one reverses the order of lines, which makes a
// rotation.
static inline void placard_transpose_32(
    void *target, ptrdiff_t pitch, const void *source, ptrdiff_t step, size_t rows, size_t columns) {
  size_t whole = 0;
#if defined(__SSE2__)
  whole = columns & ~(size_t)3;
  for (size_t x = 0; x + 4 <= rows; x += 4) {
    for (size_t i = 0; i < whole; i += 4) {
      const char *from = (const char *)source + (ptrdiff_t)x * step + i * 4;
      char *to = (char *)target + (ptrdiff_t)i * pitch + x * 4;
      __m128i a = _mm_loadu_si128((const __m128i *)from), b = _mm_loadu_si128((const __m128i *)(from + step));
      __m128i c = _mm_loadu_si128((const __m128i *)(from + 2 * step));
      __m128i d = _mm_loadu_si128((const __m128i *)(from + 3 * step));
      __m128i low = _mm_unpacklo_epi32(a, b), high = _mm_unpackhi_epi32(a, b);
      __m128i low2 = _mm_unpacklo_epi32(c, d), high2 = _mm_unpackhi_epi32(c, d);
      _mm_storeu_si128((__m128i *)to, _mm_unpacklo_epi64(low, low2));
      _mm_storeu_si128((__m128i *)(to + pitch), _mm_unpackhi_epi64(low, low2));
      _mm_storeu_si128((__m128i *)(to + 2 * pitch), _mm_unpacklo_epi64(high, high2));
      _mm_storeu_si128((__m128i *)(to + 3 * pitch), _mm_unpackhi_epi64(high, high2));
    }
  }
#endif
  for (size_t x = 0; x < rows; x++) {
    const char *from = (const char *)source + (ptrdiff_t)x * step;
    for (size_t i = whole && x < (rows & ~(size_t)3) ? whole : 0; i < columns; i++)
      memcpy((char *)target + (ptrdiff_t)i * pitch + x * 4, from + i * 4, 4);
  }
}

// Transposes pixels of 16 bits; see placard_transpose_32.
static inline void placard_transpose_16(
    void *target, ptrdiff_t pitch, const void *source, ptrdiff_t step, size_t rows, size_t columns) {
  size_t whole = 0;
#if defined(__SSE2__)
  whole = columns & ~(size_t)3;
  for (size_t x = 0; x + 4 <= rows; x += 4) {
    for (size_t i = 0; i < whole; i += 4) {
      const char *from = (const char *)source + (ptrdiff_t)x * step + i * 2;
      char *to = (char *)target + (ptrdiff_t)i * pitch + x * 2;
      __m128i a = _mm_loadl_epi64((const __m128i *)from), b = _mm_loadl_epi64((const __m128i *)(from + step));
      __m128i c = _mm_loadl_epi64((const __m128i *)(from + 2 * step));
      __m128i d = _mm_loadl_epi64((const __m128i *)(from + 3 * step));
      __m128i two = _mm_unpacklo_epi16(a, b), more = _mm_unpacklo_epi16(c, d);
      __m128i low = _mm_unpacklo_epi32(two, more), high = _mm_unpackhi_epi32(two, more);
      _mm_storel_epi64((__m128i *)to, low);
      _mm_storel_epi64((__m128i *)(to + pitch), _mm_unpackhi_epi64(low, low));
      _mm_storel_epi64((__m128i *)(to + 2 * pitch), high);
      _mm_storel_epi64((__m128i *)(to + 3 * pitch), _mm_unpackhi_epi64(high, high));
    }
  }
#endif
  for (size_t x = 0; x < rows; x++) {
    const char *from = (const char *)source + (ptrdiff_t)x * step;
    for (size_t i = whole && x < (rows & ~(size_t)3) ? whole : 0; i < columns; i++)
      memcpy((char *)target + (ptrdiff_t)i * pitch + x * 2, from + i * 2, 2);
  }
}

// Copies a line of pixels in reverse order.
static inline void placard_reverse_32(void *target, const void *source, size_t count) {
  const char *end = (const char *)source + count * 4;
  size_t x = 0;
#if defined(__SSE2__)
  for (; x + 4 <= count; x += 4) {
    __m128i pixels = _mm_loadu_si128((const __m128i *)(end - (x + 4) * 4));
    _mm_storeu_si128((__m128i *)((char *)target + x * 4), _mm_shuffle_epi32(pixels, _MM_SHUFFLE(0, 1, 2, 3)));
  }
#endif
  for (; x < count; x++) memcpy((char *)target + x * 4, end - (x + 1) * 4, 4);
}

// Copies a line of pixels of 16 bits in reverse order.
static inline void placard_reverse_16(void *target, const void *source, size_t count) {
  const char *end = (const char *)source + count * 2;
  size_t x = 0;
#if defined(__SSE2__)
  for (; x + 8 <= count; x += 8) {
    __m128i pixels = _mm_loadu_si128((const __m128i *)(end - (x + 8) * 2));
    pixels = _mm_shufflehi_epi16(_mm_shufflelo_epi16(pixels, _MM_SHUFFLE(0, 1, 2, 3)), _MM_SHUFFLE(0, 1, 2, 3));
    _mm_storeu_si128((__m128i *)((char *)target + x * 2), _mm_shuffle_epi32(pixels, _MM_SHUFFLE(1, 0, 3, 2)));
  }
#endif
  for (; x < count; x++) memcpy((char *)target + x * 2, end - (x + 1) * 2, 2);
}

// Mixes two lines of pixels: `weight` of 256 parts of `over` and the rest of `under`, each channel rounded to nearest.
static inline void placard_mix_32(
    void *target, const void *under, const void *over, unsigned weight, size_t count) {
  size_t x = 0;
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(128);
  const __m128i more = _mm_set1_epi16((short)weight), less = _mm_set1_epi16((short)(256 - weight));
  for (; x + 4 <= count; x += 4) {
    __m128i a = _mm_loadu_si128((const __m128i *)((const char *)under + x * 4));
    __m128i b = _mm_loadu_si128((const __m128i *)((const char *)over + x * 4));
    __m128i low = _mm_add_epi16(
        _mm_mullo_epi16(_mm_unpacklo_epi8(a, zero), less), _mm_mullo_epi16(_mm_unpacklo_epi8(b, zero), more));
    __m128i high = _mm_add_epi16(
        _mm_mullo_epi16(_mm_unpackhi_epi8(a, zero), less), _mm_mullo_epi16(_mm_unpackhi_epi8(b, zero), more));
    low = _mm_srli_epi16(_mm_add_epi16(low, half), 8);
    high = _mm_srli_epi16(_mm_add_epi16(high, half), 8);
    _mm_storeu_si128((__m128i *)((char *)target + x * 4), _mm_packus_epi16(low, high));
  }
#endif
  const uint8_t *a = (const uint8_t *)under, *b = (const uint8_t *)over;
  for (size_t i = x * 4; i < count * 4; i++)
    ((uint8_t *)target)[i] = (uint8_t)((a[i] * (256 - weight) + b[i] * weight + 128) >> 8);
}

// Mixes two lines of pixels of 16 bits; see placard_mix_32.
static inline void placard_mix_16(
    void *target, const void *under, const void *over, unsigned weight, size_t count) {
  const uint16_t *a = (const uint16_t *)under, *b = (const uint16_t *)over;
  unsigned less = 256 - weight;
  for (size_t i = 0; i < count; i++) {
    unsigned red = ((a[i] >> 11) * less + (b[i] >> 11) * weight + 128) >> 8;
    unsigned green = ((a[i] >> 5 & 63) * less + (b[i] >> 5 & 63) * weight + 128) >> 8;
    unsigned blue = ((a[i] & 31) * less + (b[i] & 31) * weight + 128) >> 8;
    ((uint16_t *)target)[i] = (uint16_t)(red << 11 | green << 5 | blue);
  }
}

#endif
