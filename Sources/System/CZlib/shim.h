#ifndef PLACARD_CZLIB_H
#define PLACARD_CZLIB_H

#include <zlib.h>

// Swift does not import deflateInit2, which is a macro. 31 is the largest window (15) plus 16 for the gzip format.
static inline int placard_gzip_init(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

#endif
