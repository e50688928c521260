// libsystemd, loaded when it is first needed.
//
// With the libraries that it needs it would lengthen each start, and most of what it does here is not needed before the
// first frame. A machine without systemd does not need it at all.
#ifndef PLACARD_CSYSTEMD_H
#define PLACARD_CSYSTEMD_H

#include <dlfcn.h>
#include <stddef.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

// The functions in use, without their prefix `sd_`.
#define PLACARD_SYSTEMD(USE) \
  USE(bus_call) USE(bus_close_unref) USE(bus_error_free) USE(bus_flush) USE(bus_get_events) USE(bus_get_fd) \
  USE(bus_message_append_basic) USE(bus_message_close_container) USE(bus_message_enter_container) \
  USE(bus_message_exit_container) USE(bus_message_get_destination) USE(bus_message_get_error) \
  USE(bus_message_get_interface) USE(bus_message_get_member) USE(bus_message_get_path) \
  USE(bus_message_get_reply_cookie) USE(bus_message_get_sender) USE(bus_message_get_type) \
  USE(bus_message_new_method_call) USE(bus_message_new_method_return) USE(bus_message_new_signal) \
  USE(bus_message_open_container) USE(bus_message_peek_type) USE(bus_message_read_basic) \
  USE(bus_message_set_auto_start) USE(bus_message_set_destination) USE(bus_message_set_sender) \
  USE(bus_message_skip) USE(bus_message_unref) USE(bus_negotiate_fds) USE(bus_new) USE(bus_process) USE(bus_send) \
  USE(bus_set_address) USE(bus_set_bus_client) USE(bus_set_fd) USE(bus_set_server) USE(bus_start) USE(bus_wait) \
  USE(notify) USE(watchdog_enabled)

#define PLACARD_FIELD(name) __typeof__(sd_##name) *name;
typedef struct { PLACARD_SYSTEMD(PLACARD_FIELD) } placard_systemd;
#undef PLACARD_FIELD

static const char *const placard_systemd_library = "libsystemd.so.0";

/// Loads the functions; returns 0 if the library or one of them is missing. The library stays loaded.
static inline int placard_systemd_load(placard_systemd *functions) {
  void *library = dlopen(placard_systemd_library, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
#define PLACARD_LOAD(name) \
  if ((*(void **)&functions->name = dlsym(library, "sd_" #name)) == NULL) return 0;
  PLACARD_SYSTEMD(PLACARD_LOAD)
#undef PLACARD_LOAD
  return 1;
}

#endif
