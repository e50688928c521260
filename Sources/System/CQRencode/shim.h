#ifndef PLACARD_CQRENCODE_H
#define PLACARD_CQRENCODE_H

#include <qrencode.h>

#endif
