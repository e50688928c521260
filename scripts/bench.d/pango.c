/* The Pango and Cairo side of `scripts/bench text`, with the same work as Placard. It bisects for the largest size, in
 * quarters of a pixel, at which a text fits the safe area, wraps at words, centers the lines, and paints white on dark
 * blue without hinting. It has the same commands as `placard-bench serve`:
 *
 *   pango WIDTHxHEIGHT FONT
 *   F 0000000060\n + 60 bytes   paints the whole frame for this text with a new layout
 *   C 0000000060\n + 60 bytes   paints this text with the same layout object; unchanged lines are not repainted
 *   P 0000000011\n + a path     writes the frame to a PNG file
 *   M 0000000000\n              reports the peak memory of the process
 *
 * The response is one line: the end (CLOCK_MONOTONIC, ns), the duration (ns), the text size (64ths of a pixel), and the
 * painted area (pixels). For M it is the memory in kB, and zeros. */
#include <pango/pangocairo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define STEPS 4 /* sizes in a pixel */
#define MOST_LINES 512

/* A painted line, to decide whether it needs a repaint. */
struct line {
  char *text;
  int length;
  int x, baseline; /* in Pango's units */
  cairo_rectangle_int_t ink;
};

static int width, height;
static cairo_rectangle_int_t safe;
static cairo_surface_t *surface;
static cairo_t *cairo;
static PangoContext *context;
static PangoLayout *layout;
static PangoFontDescription *font;
static struct line lines[MOST_LINES], before[MOST_LINES];
static int line_count, before_count;
static int size, size_before;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void end(const char *why) {
  fprintf(stderr, "pango: %s\n", why);
  exit(1);
}

static void set_size(int steps) {
  pango_font_description_set_absolute_size(font, (double)steps * PANGO_SCALE / STEPS);
  pango_layout_set_font_description(layout, font);
}

static int fits(int steps) {
  PangoRectangle logical;
  set_size(steps);
  pango_layout_get_extents(layout, NULL, &logical);
  return logical.width <= safe.width * PANGO_SCALE && logical.height <= safe.height * PANGO_SCALE;
}

/* Returns the largest size that fits, but at least Placard's smallest size, a ninetieth of the short side. A line is
 * never taller than the area. */
static int fit(void) {
  int good = (height < width ? height : width) * STEPS / 90, bad = safe.height * STEPS + 1;
  while (bad - good > 1) {
    int middle = good + (bad - good) / 2;
    if (fits(middle)) good = middle; else bad = middle;
  }
  set_size(good);
  return good;
}

/* Allocates memory as Placard does: in huge pages if the kernel supports them. */
static void make_surface(void) {
  int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, width);
  size_t bytes = ((size_t)stride * height + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1);
  void *memory = aligned_alloc(2 << 20, bytes);
  if (!memory) end("cannot allocate the frame");
  madvise(memory, bytes, MADV_HUGEPAGE);
  surface = cairo_image_surface_create_for_data(memory, CAIRO_FORMAT_RGB24, width, height, stride);
  cairo = cairo_create(surface);
  /* Placard does not hint glyphs. Hinting would make Pango slower. */
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

/* Keeps the context: a new context would look up the fonts again. */
static void make_layout(void) {
  if (!context) context = pango_cairo_create_context(cairo);
  if (layout) g_object_unref(layout);
  layout = pango_layout_new(context);
  pango_layout_set_width(layout, safe.width * PANGO_SCALE);
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD);
  pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER);
}

/* Returns the top of the block of lines, which is centered vertically. */
static int top(void) {
  PangoRectangle logical;
  pango_layout_get_extents(layout, NULL, &logical);
  return safe.y * PANGO_SCALE + (safe.height * PANGO_SCALE - logical.height) / 2;
}

static void remember_lines(void) {
  for (int i = 0; i < before_count; i++) free(before[i].text);
  memcpy(before, lines, sizeof before);
  before_count = line_count;
  line_count = 0;
  int y = top();
  const char *text = pango_layout_get_text(layout);
  PangoLayoutIter *iter = pango_layout_get_iter(layout);
  do {
    PangoLayoutLine *line = pango_layout_iter_get_line_readonly(iter);
    PangoRectangle ink, logical;
    pango_layout_iter_get_line_extents(iter, &ink, &logical);
    struct line *kept = &lines[line_count++];
    kept->length = pango_layout_line_get_length(line);
    kept->text = g_strndup(text + pango_layout_line_get_start_index(line), kept->length);
    kept->x = logical.x;
    kept->baseline = y + pango_layout_iter_get_baseline(iter);
    ink.x += safe.x * PANGO_SCALE;
    ink.y += y;
    pango_extents_to_pixels(&ink, NULL);
    kept->ink = (cairo_rectangle_int_t){ink.x - 1, ink.y - 1, ink.width + 2, ink.height + 2};
  } while (line_count < MOST_LINES && pango_layout_iter_next_line(iter));
  pango_layout_iter_free(iter);
}

static int is_same(const struct line *one, const struct line *other) {
  return one->x == other->x && one->baseline == other->baseline && one->length == other->length &&
         memcmp(one->text, other->text, one->length) == 0;
}

static void paint_ground(void) {
  cairo_set_source_rgb(cairo, 0x0B / 255.0, 0x1F / 255.0, 0x4B / 255.0);
  cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE);
  cairo_paint(cairo);
  cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
  cairo_set_source_rgb(cairo, 1, 1, 1);
}

static long paint_whole(void) {
  paint_ground();
  cairo_move_to(cairo, safe.x, top() / (double)PANGO_SCALE);
  pango_cairo_show_layout(cairo, layout);
  return (long)width * height;
}

/* Repaints the lines that differ, and the lines that overlap them. */
static long paint_changed(void) {
  long area = 0;
  if (size != size_before || line_count != before_count) return paint_whole();
  cairo_region_t *region = cairo_region_create();
  for (int i = 0; i < line_count; i++) {
    if (is_same(&lines[i], &before[i])) continue;
    cairo_region_union_rectangle(region, &lines[i].ink);
    cairo_region_union_rectangle(region, &before[i].ink);
  }
  cairo_save(cairo);
  for (int i = 0; i < cairo_region_num_rectangles(region); i++) {
    cairo_rectangle_int_t part;
    cairo_region_get_rectangle(region, i, &part);
    cairo_rectangle(cairo, part.x, part.y, part.width, part.height);
    area += (long)part.width * part.height;
  }
  cairo_clip(cairo);
  if (area) paint_ground();
  for (int i = 0; i < line_count; i++) {
    if (cairo_region_contains_rectangle(region, &lines[i].ink) == CAIRO_REGION_OVERLAP_OUT) continue;
    cairo_move_to(
        cairo, safe.x + lines[i].x / (double)PANGO_SCALE, lines[i].baseline / (double)PANGO_SCALE);
    pango_cairo_show_layout_line(cairo, pango_layout_get_line_readonly(layout, i));
  }
  cairo_restore(cairo);
  cairo_region_destroy(region);
  return area;
}

static long draw(const char *text, int bytes, int is_whole) {
  if (is_whole || !layout) make_layout();
  pango_layout_set_text(layout, text, bytes);
  size_before = size;
  size = fit();
  remember_lines();
  long area = is_whole ? paint_whole() : paint_changed();
  cairo_surface_flush(surface);
  return area;
}

static long peak(void) {
  char line[128];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmHWM:", 6)) kilobytes = atol(line + 6);
  if (status) fclose(status);
  return kilobytes;
}

static void answer(char command, const char *text, int bytes) {
  int64_t start = now();
  long area = 0;
  if (command == 'M') {
    printf("%ld 0 0 0\n", peak());
  } else if (command == 'P') {
    cairo_surface_write_to_png(surface, text);
    printf("0 0 0 0\n");
  } else {
    area = draw(text, bytes, command == 'F');
    int64_t done = now();
    printf("%lld %lld %d %ld\n", (long long)done, (long long)(done - start), size * 64 / STEPS, area);
  }
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count != 3 || sscanf(arguments[1], "%dx%d", &width, &height) != 2) end("usage: pango WIDTHxHEIGHT FONT");
  /* 3% at each edge, rounded up. */
  int left = (width * 3 + 99) / 100, upper = (height * 3 + 99) / 100;
  safe = (cairo_rectangle_int_t){left, upper, width - 2 * left, height - 2 * upper};
  font = pango_font_description_from_string(arguments[2]);
  make_surface();
  char header[14] = "";
  while (fread(header, 1, 13, stdin) == 13) {
    int bytes = atoi(header + 2);
    char *text = malloc((size_t)bytes + 1);
    if (!text || fread(text, 1, bytes, stdin) != (size_t)bytes) end("a command is truncated");
    text[bytes] = 0;
    answer(header[0], text, bytes);
    free(text);
  }
  return 0;
}
