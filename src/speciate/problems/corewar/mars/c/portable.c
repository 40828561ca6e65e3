/* The engines in standard C: one switch. They run everywhere, and under read and write limits nothing else does. */
#include "engine.h"

#include "vocabulary.h"

#define NAME portable_pair
#define SIZE round->size
#define JUMPS 0
#include "pair.inc"

#define NAME portable_melee
#define SIZE round->size
#define BODIES "handlers.inc"
#define JUMPS 0
#define AHEAD 0
#define WRITTEN 0
#include "melee.inc"

#define NAME portable_melee_full
#define SIZE round->size
#define BODIES "handlers.inc"
#define JUMPS 0
#define AHEAD 0
#define WRITTEN 1
#include "melee.inc"

#define NAME limited_melee
#define SIZE round->size
#define BODIES "limited.inc"
#define JUMPS 0
#define AHEAD 0
#define WRITTEN 0
#include "melee.inc"

#define NAME limited_melee_full
#define SIZE round->size
#define BODIES "limited.inc"
#define JUMPS 0
#define AHEAD 0
#define WRITTEN 1
#include "melee.inc"
