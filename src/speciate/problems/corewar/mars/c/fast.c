/* The engines that jump from handler to handler with GNU C's labels as values; gcc and clang have them, on every
   architecture. Without them this file is empty but for the news. */
#include "engine.h"

#ifdef __GNUC__

#include "vocabulary.h"

const bool fast_exists = true;

#define NAME fast_pair
#define SIZE round->size
#define JUMPS 1
#include "pair.inc"

#define NAME fast_melee
#define SIZE round->size
#define JUMPS 1
#define AHEAD 1
#define WRITTEN 0
#define LIMITED 0
#include "melee.inc"

#define NAME fast_solo
#define SIZE round->size
#define JUMPS 1
#define AHEAD 0
#define WRITTEN 0
#define LIMITED 0
#include "melee.inc"

#define NAME fast_melee_full
#define SIZE round->size
#define JUMPS 1
#define AHEAD 1
#define WRITTEN 1
#define LIMITED 0
#include "melee.inc"

#define NAME fast_solo_full
#define SIZE round->size
#define JUMPS 1
#define AHEAD 0
#define WRITTEN 1
#define LIMITED 0
#include "melee.inc"

#else

const bool fast_exists = false;

void fast_pair(Round *round) { portable_pair(round); }
void fast_melee(Round *round) { portable_melee(round); }
void fast_solo(Round *round) { portable_melee(round); }
void fast_melee_full(Round *round) { portable_melee_full(round); }
void fast_solo_full(Round *round) { portable_melee_full(round); }

#endif
