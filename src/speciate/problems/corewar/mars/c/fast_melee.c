/* The engines for any number of warriors that jump from handler to handler: GNU C. */
#include "engine.h"

#ifdef __GNUC__

#include "vocabulary.h"

#define NAME fast_melee
#define SIZE round->size
#define JUMPS 1
#define WRITTEN 0
#define LIMITED 0
#include "melee.inc"

#define NAME fast_melee_full
#define SIZE round->size
#define JUMPS 1
#define WRITTEN 1
#define LIMITED 0
#include "melee.inc"

#else

void fast_melee(Round *round) { portable_melee(round); }
void fast_melee_full(Round *round) { portable_melee_full(round); }

#endif
