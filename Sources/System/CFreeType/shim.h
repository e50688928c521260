#ifndef PLACARD_CFREETYPE_H
#define PLACARD_CFREETYPE_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_COLOR_H
#include FT_MULTIPLE_MASTERS_H

// Swift does not import macros that contain casts and shifts of longs.
static const FT_Int32 placard_ft_load_outline = FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP | FT_LOAD_IGNORE_TRANSFORM;
static const int placard_ft_raster_direct = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT;
static const FT_Int32 placard_ft_load_color = FT_LOAD_COLOR | FT_LOAD_NO_HINTING | FT_LOAD_NO_AUTOHINT;
static inline int placard_ft_has_outlines(FT_Face face) { return FT_IS_SCALABLE(face) != 0; }
static inline int placard_ft_has_color(FT_Face face) { return FT_HAS_COLOR(face) != 0; }
static inline int placard_ft_is_sfnt(FT_Face face) { return FT_IS_SFNT(face) != 0; }

#endif
