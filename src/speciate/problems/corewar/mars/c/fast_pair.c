/* The engine for two warriors that jumps from handler to handler: GNU C, which gcc and clang speak everywhere. */
#include "engine.h"

#ifdef __GNUC__

#include "vocabulary.h"

const bool fast_exists = true;

#define NAME fast_pair
#define SIZE round->size
#define JUMPS 1
#include "pair.inc"

#else

const bool fast_exists = false;

void fast_pair(Round *round) { portable_pair(round); }

#endif
