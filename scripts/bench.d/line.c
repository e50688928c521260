/* Minimal text drawing for bare.c: gets the sans-serif font from fontconfig, shapes one line with HarfBuzz, and copies
 * the bitmaps of FreeType into the frame, without fitting, wrapping or blending. */
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb-ft.h>
#include <hb.h>
#include <stdint.h>
#include <string.h>

static void copy(const FT_Bitmap *glyph, uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t height, int x, int y) {
  for (int row = 0; row < (int)glyph->rows; row++)
    for (int column = 0; column < (int)glyph->width; column++)
      if (glyph->buffer[row * glyph->pitch + column] > 127 && (uint32_t)(y + row) < height && (uint32_t)(x + column) < width)
        pixels[(uint32_t)(y + row) * (pitch / 4) + (uint32_t)(x + column)] = 0xFFFFFF;
}

/* Returns the font's path in a static buffer, or NULL if there is no font. */
static const char *font(void) {
  static char path[4096];
  FcPattern *asked = FcNameParse((const FcChar8 *)"sans-serif");
  FcConfigSubstitute(NULL, asked, FcMatchPattern);
  FcDefaultSubstitute(asked);
  FcResult result;
  FcPattern *found = FcFontMatch(NULL, asked, &result);
  FcChar8 *file;
  if (!found || FcPatternGetString(found, FC_FILE, 0, &file) != FcResultMatch) return NULL;
  return strncpy(path, (const char *)file, sizeof path - 1);
}

int draw_line(const char *text, uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t height) {
  FT_Library library;
  FT_Face face;
  const char *path = font();
  if (!path || FT_Init_FreeType(&library) || FT_New_Face(library, path, 0, &face)) return -1;
  FT_Set_Pixel_Sizes(face, 0, height / 20);
  hb_font_t *shaped = hb_ft_font_create(face, NULL);
  hb_buffer_t *line = hb_buffer_create();
  hb_buffer_add_utf8(line, text, -1, 0, -1);
  hb_buffer_guess_segment_properties(line);
  hb_shape(shaped, line, NULL, 0);
  unsigned count;
  const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(line, &count);
  const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(line, &count);
  int x = (int)width / 20;
  for (unsigned i = 0; i < count; i++) {
    if (FT_Load_Glyph(face, glyphs[i].codepoint, FT_LOAD_RENDER)) return -1;
    copy(&face->glyph->bitmap, pixels, pitch, width, height, x + face->glyph->bitmap_left,
         (int)height / 2 - face->glyph->bitmap_top);
    x += places[i].x_advance / 64;
  }
  return 0;
}
