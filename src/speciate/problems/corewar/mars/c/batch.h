/* Many battles: what module.c takes from Python and batch.c fights. All memory is the batch's own. */
#ifndef SPECIATE_MARS_BATCH_H
#define SPECIATE_MARS_BATCH_H

#include "engine.h"

typedef struct {
    int32_t core_size, processes, pspace, read_limit, write_limit;
    int64_t cycles;
    bool rotate, stop_at_one, stop_at_tie, covered, written, fast;
} Rules;

typedef struct {
    Rules rules;
    int32_t warriors, battles, rounds, seats, cells;
    int32_t *code, *offsets, *starts, *lineups, *positions, *pspaces; /* shaped as mars/batch.py says */
    Cell *packed;   /* one for each row of code, ready for the core */
    bool *stores;   /* for each warrior: whether it can write P-space */
    uint8_t *alive; /* the five results are Python's memory */
    int64_t *lifetime, *spawned;
    int32_t *covered, *written;
    atomic_bool cancelled;
} Batch;

/* What one thread fights in. */
typedef struct {
    Cell *cells;
    Round round;
    Fighter fighters[MOST_SEATS];
    int32_t *pspaces;
    uint8_t *marks;
    int seats;
} Arena;

const char *batch_check(const Batch *batch); /* what is wrong with it, or NULL */
bool batch_pack(Batch *batch);               /* false: no memory */

bool arena_open(Arena *arena, const Batch *batch); /* false: no memory; close it in any case */
void arena_close(Arena *arena, const Batch *batch);
void arena_enter(Arena *arena, const Batch *batch, int32_t battle); /* before the first round of a battle */
void arena_load(Arena *arena, const Batch *batch, int32_t battle, int32_t round);
void arena_run(Arena *arena, const Batch *batch, bool pairs);
void arena_fight(Arena *arena, const Batch *batch, int32_t battle);

#endif
