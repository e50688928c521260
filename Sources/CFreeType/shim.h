#ifndef PLACARD_CFREETYPE_H
#define PLACARD_CFREETYPE_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

// Casts and shifts of longs, which Swift does not import.
static const FT_Int32 placard_ft_load_outline = FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP | FT_LOAD_IGNORE_TRANSFORM;
static const int placard_ft_raster_direct = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT;
static inline int placard_ft_is_outline_sfnt(FT_Face face) { return FT_IS_SCALABLE(face) && FT_IS_SFNT(face); }

#endif
