#ifndef PLACARD_CMD4C_H
#define PLACARD_CMD4C_H

#include <md4c.h>

// Swift does not import sums of flags. The type is the one that MD_PARSER uses for them.
static const unsigned placard_md_flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
static const unsigned placard_md_flag_autolinks = MD_FLAG_PERMISSIVEAUTOLINKS;

#endif
