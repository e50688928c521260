// ICU's formats of numbers, dates and times in all languages, loaded when a text first needs them.
//
// The library and its 30 MB of data would lengthen each start. The function names, which include ICU's version, come from
// the header used at compile time. No other ICU header is included: Swift's Foundation has its own copy of ICU, and both
// in one program would conflict.
#ifndef PLACARD_CICUFORMATS_H
#define PLACARD_CICUFORMATS_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

#define PLACARD_FORMAT_TEXT(name) PLACARD_FORMAT_TEXT_(name)
#define PLACARD_FORMAT_TEXT_(name) #name
#define PLACARD_FORMAT(name) PLACARD_FORMAT_TEXT(U_ICU_ENTRY_POINT_RENAME(name))

/// UErrorCode of utypes.h; codes below 0 are warnings, and codes above 0 are errors.
typedef int32_t placard_format_code;

/// UNumberFormatter, UFormattedNumber, UDateTimePatternGenerator and UDateFormat of unumberformatter.h, udatpg.h and
/// udat.h, and UResourceBundle of ures.h.
typedef struct placard_number_format placard_number_format;
typedef struct placard_formatted_number placard_formatted_number;
typedef struct placard_date_patterns placard_date_patterns;
typedef struct placard_date_format placard_date_format;
typedef struct placard_locale_data placard_locale_data;

typedef struct {
  int32_t (*locale_of_tag)(const char *, char *, int32_t, int32_t *, placard_format_code *);
  placard_locale_data *(*open_data)(const char *, const char *, placard_format_code *);
  void (*close_data)(placard_locale_data *);
  placard_number_format *(*open_number)(const uint16_t *, int32_t, const char *, placard_format_code *);
  placard_formatted_number *(*open_result)(placard_format_code *);
  void (*format_number)(
      const placard_number_format *, const char *, int32_t, placard_formatted_number *, placard_format_code *);
  int32_t (*text_of)(const placard_formatted_number *, uint16_t *, int32_t, placard_format_code *);
  void (*close_result)(placard_formatted_number *);
  void (*close_number)(placard_number_format *);
  placard_date_patterns *(*open_patterns)(const char *, placard_format_code *);
  int32_t (*best_pattern)(
      placard_date_patterns *, const uint16_t *, int32_t, uint16_t *, int32_t, placard_format_code *);
  void (*close_patterns)(placard_date_patterns *);
  placard_date_format *(*open_date)(
      int32_t, int32_t, const char *, const uint16_t *, int32_t, const uint16_t *, int32_t, placard_format_code *);
  int32_t (*format_date)(const placard_date_format *, double, uint16_t *, int32_t, void *, placard_format_code *);
  void (*close_date)(placard_date_format *);
} placard_icu_formats;

/// The value of UDAT_PATTERN.
static const int32_t placard_icu_pattern = -2;
/// The value of U_USING_DEFAULT_WARNING: there is no data for the language.
static const placard_format_code placard_icu_unknown = -127;

static const char *const placard_icu_format_library = "libicui18n.so." PLACARD_FORMAT_TEXT(U_ICU_VERSION_MAJOR_NUM);

/// Loads the functions; returns 0 if the library or one of them is missing. The library stays loaded.
static inline int placard_icu_load_formats(placard_icu_formats *icu) {
  void *library = dlopen(placard_icu_format_library, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  const struct {
    void *function;
    const char *name;
  } functions[] = {
      {&icu->locale_of_tag, PLACARD_FORMAT(uloc_forLanguageTag)},
      {&icu->open_data, PLACARD_FORMAT(ures_open)},
      {&icu->close_data, PLACARD_FORMAT(ures_close)},
      {&icu->open_number, PLACARD_FORMAT(unumf_openForSkeletonAndLocale)},
      {&icu->open_result, PLACARD_FORMAT(unumf_openResult)},
      {&icu->format_number, PLACARD_FORMAT(unumf_formatDecimal)},
      {&icu->text_of, PLACARD_FORMAT(unumf_resultToString)},
      {&icu->close_result, PLACARD_FORMAT(unumf_closeResult)},
      {&icu->close_number, PLACARD_FORMAT(unumf_close)},
      {&icu->open_patterns, PLACARD_FORMAT(udatpg_open)},
      {&icu->best_pattern, PLACARD_FORMAT(udatpg_getBestPattern)},
      {&icu->close_patterns, PLACARD_FORMAT(udatpg_close)},
      {&icu->open_date, PLACARD_FORMAT(udat_open)},
      {&icu->format_date, PLACARD_FORMAT(udat_format)},
      {&icu->close_date, PLACARD_FORMAT(udat_close)},
  };
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    void *function = dlsym(library, functions[index].name);
    if (function == NULL) return 0;
    *(void **)functions[index].function = function;
  }
  return 1;
}

#endif
