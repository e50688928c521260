#ifndef PLACARD_CFRIBIDI_H
#define PLACARD_CFRIBIDI_H

#include <fribidi.h>

// Swift does not import these constants, which macros assemble from masks.
static const FriBidiParType placard_bidi_auto = FRIBIDI_PAR_ON;
static const FriBidiParType placard_bidi_ltr = FRIBIDI_PAR_LTR;
static const FriBidiParType placard_bidi_rtl = FRIBIDI_PAR_RTL;

#endif
