/* Instructions whose modes are looked up while they run, and the engine that obeys read and write limits. */
#include "engine.h"

#include "vocabulary.h"

#define PC pc
#define SIZE round->size
#define MARK(i) (void)(w->written ? w->written[i] = 1 : 0)
#define LOAD(n) pspace_load(w, (n), (uint32_t)round->pspace)
#define STORE(n, v) pspace_store(w, (n), (v), (uint32_t)round->pspace)
#define HANDLER(n) case n:
#define ENTER(n) (void)0
#define GO(i) return next_of((int32_t)(i), NOWHERE)
#define SPLIT(i, j) return next_of((int32_t)(i), (int32_t)(j))
#define DIE() return next_of(NOWHERE, NOWHERE)

Next other_instruction(const Round *round, Fighter *w, Index pc)
{
    Cell *const base = round->base;
    switch (other_of_meaning[AT(pc).kind >> 6]) {
#include "others.inc"
    default:
        DIE();
    }
}

Next limited_instruction(const Round *round, Fighter *w, Index pc)
{
    Cell *const base = round->base;
    switch (other_of_meaning[AT(pc).kind >> 6]) {
#include "limited.inc"
    default:
        DIE();
    }
}
