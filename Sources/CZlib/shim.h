#ifndef PLACARD_CZLIB_H
#define PLACARD_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. 31 is the largest window (15) plus 16 for gzip's frame.
static inline int placard_gzip_init(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

#endif
