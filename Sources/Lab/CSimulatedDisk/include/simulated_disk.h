#ifndef PLACARD_SIMULATED_DISK_H
#define PLACARD_SIMULATED_DISK_H

#include <stddef.h>

/// Results of SQLite (sqlite3.h), which only Archive imports: success, a full disk, and failed calls.
enum simulated_result {
  SIMULATED_OK = 0,
  SIMULATED_FULL = 13,
  SIMULATED_ERROR = 10,
  SIMULATED_WRITE_ERROR = 10 | 3 << 8,
  SIMULATED_SYNC_ERROR = 10 | 4 << 8,
};

/// The functions that SQLite's file operations call first. Each returns SIMULATED_OK, or the error that the operation
/// returns without being carried out. `path` is that of the file when it was opened.
struct simulated_disk {
  void *context;
  int (*write)(void *context, const char *path, const void *bytes, size_t count, long long offset);
  int (*truncate)(void *context, const char *path, long long size);
  int (*sync)(void *context, const char *path);
  int (*remove)(void *context, const char *path);
};

/// Puts functions in front of SQLite's default file system (sqlite3_vfs), for databases that are opened afterward.
///
/// Returns SIMULATED_OK, or SQLite's error. The functions stay in use until the process ends.
int simulated_disk_install(const struct simulated_disk *disk);

#endif
