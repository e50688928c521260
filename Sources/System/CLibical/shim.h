// libical, loaded when an iCalendar file is first read or a repeated event is first expanded.
//
// The library brings ICU with its 30 MB of data and the C++ runtime, which most installations never need.
#ifndef PLACARD_CLIBICAL_H
#define PLACARD_CLIBICAL_H

#include <dlfcn.h>
#include <libical/ical.h>
#include <stddef.h>
#include <stdint.h>
#include <unicode/uvernum.h>

#define PLACARD_TEXT(name) PLACARD_TEXT_(name)
#define PLACARD_TEXT_(name) #name

typedef struct {
  __typeof__(&icalerror_set_errors_are_fatal) set_errors_are_fatal;
  __typeof__(&icalparser_parse_string) parse;
  __typeof__(&icalcomponent_isa) component_kind;
  __typeof__(&icalcomponent_get_first_component) first_component;
  __typeof__(&icalcomponent_get_next_component) next_component;
  __typeof__(&icalcomponent_get_first_property) first_property;
  __typeof__(&icalcomponent_get_next_property) next_property;
  __typeof__(&icalcomponent_free) free_component;
  __typeof__(&icalproperty_get_property_name_r) name_of;
  __typeof__(&icalproperty_get_value) value_of;
  __typeof__(&icalvalue_isa) value_kind;
  __typeof__(&icalvalue_get_text) text_of;
  __typeof__(&icalproperty_get_value_as_string_r) value_as_string;
  __typeof__(&icalproperty_get_parameter_as_string_r) parameter_as_string;
  __typeof__(&icalmemory_free_buffer) free_buffer;
  __typeof__(&icaldurationtype_from_string) duration;
  __typeof__(&icaldurationtype_as_int) duration_as_int;
  __typeof__(&icalrecurrencetype_from_string) recurrence;
  __typeof__(&icalrecur_iterator_new) iterator;
  __typeof__(&icalrecur_iterator_set_start) set_start;
  __typeof__(&icalrecur_iterator_next) next_time;
  __typeof__(&icalrecur_iterator_free) free_iterator;
} placard_libical;

#define PLACARD_LOAD(field, name) \
  if ((*(void **)&libical->field = dlsym(library, #name)) == NULL) return 0

/// Loads the functions; returns 0 if the library or one of them is missing. The library stays loaded.
static inline int placard_libical_load(placard_libical *libical) {
  void *library = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  PLACARD_LOAD(set_errors_are_fatal, icalerror_set_errors_are_fatal);
  PLACARD_LOAD(parse, icalparser_parse_string);
  PLACARD_LOAD(component_kind, icalcomponent_isa);
  PLACARD_LOAD(first_component, icalcomponent_get_first_component);
  PLACARD_LOAD(next_component, icalcomponent_get_next_component);
  PLACARD_LOAD(first_property, icalcomponent_get_first_property);
  PLACARD_LOAD(next_property, icalcomponent_get_next_property);
  PLACARD_LOAD(free_component, icalcomponent_free);
  PLACARD_LOAD(name_of, icalproperty_get_property_name_r);
  PLACARD_LOAD(value_of, icalproperty_get_value);
  PLACARD_LOAD(value_kind, icalvalue_isa);
  PLACARD_LOAD(text_of, icalvalue_get_text);
  PLACARD_LOAD(value_as_string, icalproperty_get_value_as_string_r);
  PLACARD_LOAD(parameter_as_string, icalproperty_get_parameter_as_string_r);
  PLACARD_LOAD(free_buffer, icalmemory_free_buffer);
  PLACARD_LOAD(duration, icaldurationtype_from_string);
  PLACARD_LOAD(duration_as_int, icaldurationtype_as_int);
  PLACARD_LOAD(recurrence, icalrecurrencetype_from_string);
  PLACARD_LOAD(iterator, icalrecur_iterator_new);
  PLACARD_LOAD(set_start, icalrecur_iterator_set_start);
  PLACARD_LOAD(next_time, icalrecur_iterator_next);
  PLACARD_LOAD(free_iterator, icalrecur_iterator_free);
  // Otherwise a file with a mistake would end the process.
  libical->set_errors_are_fatal(0);
  return 1;
}

#undef PLACARD_LOAD

/// Finds the IANA name of a time zone that has a name of Windows, such as "W. Europe Standard Time", through ICU.
///
/// Both texts are ASCII. Returns 0 if ICU is missing or does not know the name, or if the buffer is too small.
static inline int placard_zone_of_windows(const char *name, char *zone, int32_t capacity) {
  typedef int32_t function(const uint16_t *, int32_t, const char *, uint16_t *, int32_t, int32_t *);
  void *library = dlopen("libicui18n.so." PLACARD_TEXT(U_ICU_VERSION_MAJOR_NUM), RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  function *find = NULL;
  *(void **)&find = dlsym(library, PLACARD_TEXT(U_ICU_ENTRY_POINT_RENAME(ucal_getTimeZoneIDForWindowsID)));
  uint16_t units[128], found[128];
  int32_t length = 0, code = 0;
  for (; name[length] != 0; length++) {
    if (length == 128 || (unsigned char)name[length] > 126) return 0;
    units[length] = (uint16_t)name[length];
  }
  if (find == NULL) return 0;
  int32_t count = find(units, length, "001", found, 128, &code);
  if (code > 0 || count <= 0 || count >= 128 || count >= capacity) return 0;
  for (int32_t place = 0; place < count; place++) zone[place] = (char)found[place];
  zone[count] = 0;
  return 1;
}

#endif
