#ifndef PLACARD_CMD4C_H
#define PLACARD_CMD4C_H

#include <md4c.h>

// Sums of flags, which Swift does not import, and in the type that MD_PARSER has them in.
static const unsigned placard_md_flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
static const unsigned placard_md_flag_autolinks = MD_FLAG_PERMISSIVEAUTOLINKS;

#endif
