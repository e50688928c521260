#include "simulated_disk.h"

#include <sqlite3.h>
#include <string.h>

_Static_assert(
    SIMULATED_OK == SQLITE_OK && SIMULATED_FULL == SQLITE_FULL && SIMULATED_ERROR == SQLITE_IOERR
        && SIMULATED_WRITE_ERROR == SQLITE_IOERR_WRITE && SIMULATED_SYNC_ERROR == SQLITE_IOERR_FSYNC,
    "the results are those of SQLite");

// https://sqlite.org/vfs.html: a VFS in front of another one. The memory of a file is that of the wrapper, followed by
// that of the wrapped file.

struct file {
  sqlite3_file base;
  const char *path;
};

static struct simulated_disk disk;
static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }
static const char *path(sqlite3_file *file) { return ((struct file *)file)->path; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (path(file)) {
    int code = disk.write(disk.context, path(file), bytes, (size_t)count, offset);
    if (code != SQLITE_OK) return code;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (path(file)) {
    int code = disk.truncate(disk.context, path(file), size);
    if (code != SQLITE_OK) return code;
  }
  return real(file)->pMethods->xTruncate(real(file), size);
}

// The wrapped file is not synced: nothing here survives the machine anyway, and fsync(2) takes time.
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  return path(file) ? disk.sync(disk.context, path(file)) : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int file_is_locked(sqlite3_file *file, int *is_locked) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_locked);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

// Nothing is promised about what an unfinished write leaves behind.
static int file_device(sqlite3_file *file) {
  (void)file;
  return 0;
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, address);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_shm_unmap(sqlite3_file *file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_locked,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)self;
  memset(file, 0, sizeof(struct file));
  int code = real_vfs->xOpen(real_vfs, name, real(file), flags, out_flags);
  if (code != SQLITE_OK || !real(file)->pMethods) return code;
  file->pMethods = &methods;
  // SQLite keeps the name of a database, journal or log until the file is closed; temporary files have none.
  if (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) ((struct file *)file)->path = name;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *self, const char *name, int sync_directory) {
  (void)self;
  int code = disk.remove(disk.context, name);
  return code != SQLITE_OK ? code : real_vfs->xDelete(real_vfs, name, sync_directory);
}

int simulated_disk_install(const struct simulated_disk *functions) {
  disk = *functions;
  real_vfs = sqlite3_vfs_find(0);
  if (!real_vfs) return SQLITE_ERROR;
  vfs = *real_vfs;
  vfs.pNext = 0;
  vfs.zName = "simulated";
  vfs.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  return sqlite3_vfs_register(&vfs, 1);
}
