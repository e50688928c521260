// libhyphen, loaded when a word first has to be divided. It is optional, so that its header is not needed either.
#ifndef PLACARD_CHYPHEN_H
#define PLACARD_CHYPHEN_H

#include <dlfcn.h>
#include <stddef.h>

/// HyphenDict of hyphen.h.
typedef struct placard_hyphen_dictionary placard_hyphen_dictionary;

/// The functions of hyphen.h, version 2.
typedef struct {
  placard_hyphen_dictionary *(*load)(const char *);
  void (*close)(placard_hyphen_dictionary *);
  int (*hyphenate)(placard_hyphen_dictionary *, const char *, int, char *, char *, char ***, int **, int **);
} placard_hyphen;

/// Loads the functions; returns 0 if the library or one of them is missing. The library stays loaded.
static inline int placard_hyphen_load(placard_hyphen *hyphen) {
  void *library = dlopen("libhyphen.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  *(void **)&hyphen->load = dlsym(library, "hnj_hyphen_load");
  *(void **)&hyphen->close = dlsym(library, "hnj_hyphen_free");
  *(void **)&hyphen->hyphenate = dlsym(library, "hnj_hyphen_hyphenate2");
  return hyphen->load != NULL && hyphen->close != NULL && hyphen->hyphenate != NULL;
}

#endif
