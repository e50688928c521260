#ifndef PLACARD_CPNG_H
#define PLACARD_CPNG_H

#include <png.h>

#endif
