// Copies of whole lines, and stores that go around the caches: Swift has no word for them.
#ifndef PLACARD_CPIXELS_H
#define PLACARD_CPIXELS_H

#include <stddef.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Copies whole 64-byte lines between 16-byte aligned places. An ordinary store first reads the line that it is going
// to overwrite; for a frame larger than the caches that is half of all traffic (Intel SDM 10.4.6.2, AMD APM 1 9.9.1).
static inline void placard_stream_lines(void *target, const void *source, size_t lines) {
#if defined(__SSE2__)
  __m128i *to = (__m128i *)target;
  const __m128i *from = (const __m128i *)source;
  for (size_t i = 0; i < lines * 4; i += 4) {
    _mm_stream_si128(to + i, _mm_load_si128(from + i));
    _mm_stream_si128(to + i + 1, _mm_load_si128(from + i + 1));
    _mm_stream_si128(to + i + 2, _mm_load_si128(from + i + 2));
    _mm_stream_si128(to + i + 3, _mm_load_si128(from + i + 3));
  }
#else
  memcpy(target, source, lines * 64);
#endif
}

// The same with ordinary stores, for what stays in the caches, or has none to disturb. Not memcpy: many processors'
// microcode for it costs more than the 15 KB of a row are worth, and an emulated one moves byte by byte.
static inline void placard_copy_lines(void *target, const void *source, size_t lines) {
#if defined(__SSE2__)
  __m128i *to = (__m128i *)target;
  const __m128i *from = (const __m128i *)source;
  for (size_t i = 0; i < lines * 4; i += 4) {
    _mm_store_si128(to + i, _mm_load_si128(from + i));
    _mm_store_si128(to + i + 1, _mm_load_si128(from + i + 1));
    _mm_store_si128(to + i + 2, _mm_load_si128(from + i + 2));
    _mm_store_si128(to + i + 3, _mm_load_si128(from + i + 3));
  }
#else
  memcpy(target, source, lines * 64);
#endif
}

// Makes streamed lines visible to other cores before what is stored next.
static inline void placard_stream_end(void) {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

#endif
