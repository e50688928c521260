#ifndef PLACARD_CSQLITE_H
#define PLACARD_CSQLITE_H

#include <sqlite3.h>

// Swift does not import SQLITE_TRANSIENT, which is a cast; it makes SQLite copy the text before returning.
static inline int placard_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

#endif
