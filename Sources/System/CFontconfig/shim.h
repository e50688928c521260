#ifndef PLACARD_CFONTCONFIG_H
#define PLACARD_CFONTCONFIG_H

#include <fontconfig/fontconfig.h>

#endif
