#ifndef PLACARD_CFRIBIDI_H
#define PLACARD_CFRIBIDI_H

#include <fribidi.h>

// Made of masks by macros, which Swift does not import.
static const FriBidiParType placard_bidi_auto = FRIBIDI_PAR_ON;
static const FriBidiParType placard_bidi_ltr = FRIBIDI_PAR_LTR;
static const FriBidiParType placard_bidi_rtl = FRIBIDI_PAR_RTL;

#endif
