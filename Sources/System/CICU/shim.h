// ICU's line break iterator, loaded when a text first needs it.
//
// The library and its 30 MB of data would lengthen each start by a sixth, and most messages do not need it because they
// break only at spaces. The function names, which include ICU's version, come from the header used at compile time. No
// other ICU header is included: Swift's Foundation has its own copy of ICU, and both in one program would conflict.
#ifndef PLACARD_CICU_H
#define PLACARD_CICU_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

#define PLACARD_TEXT(name) PLACARD_TEXT_(name)
#define PLACARD_TEXT_(name) #name
#define PLACARD_ICU(name) PLACARD_TEXT(U_ICU_ENTRY_POINT_RENAME(name))

/// UBreakIterator and UErrorCode of ubrk.h; codes below 0 are warnings, and codes above 0 are errors.
typedef struct placard_break_iterator placard_break_iterator;
typedef int32_t placard_icu_code;

typedef struct {
  placard_break_iterator *(*open)(int32_t kind, const char *, const uint16_t *, int32_t, placard_icu_code *);
  void (*set_text)(placard_break_iterator *, const uint16_t *, int32_t, placard_icu_code *);
  int32_t (*next)(placard_break_iterator *);
  void (*close)(placard_break_iterator *);
} placard_icu;

/// The value of UBRK_LINE.
static const int32_t placard_icu_line = 2;

static const char *const placard_icu_library = "libicuuc.so." PLACARD_TEXT(U_ICU_VERSION_MAJOR_NUM);

/// Loads the functions; returns 0 if the library or one of them is missing. The library stays loaded.
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
