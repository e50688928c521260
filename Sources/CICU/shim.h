// ICU's line breaks, loaded when the first text needs them.
//
// The library and its 30 MB of data would make each start a sixth longer, and most messages are set without: their
// breaks are at spaces. The names, which carry ICU's version, come from the header that this was compiled with. Nothing
// else of its headers is taken: Swift's Foundation has a copy of its own, and the two may not meet in one program.
#ifndef PLACARD_CICU_H
#define PLACARD_CICU_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

#define PLACARD_TEXT(name) PLACARD_TEXT_(name)
#define PLACARD_TEXT_(name) #name
#define PLACARD_ICU(name) PLACARD_TEXT(U_ICU_ENTRY_POINT_RENAME(name))

/// ubrk.h: UBreakIterator and UErrorCode, whose warnings are below 0 and whose errors are above.
typedef struct placard_break_iterator placard_break_iterator;
typedef int32_t placard_icu_code;

typedef struct {
  placard_break_iterator *(*open)(int32_t kind, const char *, const uint16_t *, int32_t, placard_icu_code *);
  void (*set_text)(placard_break_iterator *, const uint16_t *, int32_t, placard_icu_code *);
  int32_t (*next)(placard_break_iterator *);
  void (*close)(placard_break_iterator *);
} placard_icu;

/// UBRK_LINE.
static const int32_t placard_icu_line = 2;

static const char *const placard_icu_library = "libicuuc.so." PLACARD_TEXT(U_ICU_VERSION_MAJOR_NUM);

/// Fills in the functions; 0 where the library or one of them is not there. The library stays loaded.
static inline int placard_icu_load(placard_icu *icu) {
  void *library = dlopen(placard_icu_library, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  *(void **)&icu->open = dlsym(library, PLACARD_ICU(ubrk_open));
  *(void **)&icu->set_text = dlsym(library, PLACARD_ICU(ubrk_setText));
  *(void **)&icu->next = dlsym(library, PLACARD_ICU(ubrk_next));
  *(void **)&icu->close = dlsym(library, PLACARD_ICU(ubrk_close));
  return icu->open != NULL && icu->set_text != NULL && icu->next != NULL && icu->close != NULL;
}

#endif
