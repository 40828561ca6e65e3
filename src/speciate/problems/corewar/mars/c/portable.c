/* The engines in standard C: they run everywhere. */
#include "engine.h"

#include "vocabulary.h"

#define NAME portable_pair
#define SIZE round->size
#define JUMPS 0
#include "pair.inc"

#define NAME portable_melee
#define SIZE round->size
#define JUMPS 0
#define WRITTEN 0
#define LIMITED 0
#include "melee.inc"

#define NAME portable_melee_full
#define SIZE round->size
#define JUMPS 0
#define WRITTEN 1
#define LIMITED 0
#include "melee.inc"

#define NAME limited_melee
#define SIZE round->size
#define JUMPS 0
#define WRITTEN 0
#define LIMITED 1
#include "melee.inc"
