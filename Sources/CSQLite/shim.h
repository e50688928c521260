#ifndef PLACARD_CSQLITE_H
#define PLACARD_CSQLITE_H

#include <sqlite3.h>

// SQLITE_TRANSIENT (SQLite copies the text before it returns) is a cast, which Swift does not import.
static inline int placard_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

#endif
