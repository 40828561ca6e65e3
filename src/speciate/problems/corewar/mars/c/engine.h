/* What the engines share: cells, fighters, rounds.

   Addresses are kept as an Index: the address minus the core size, so that -size is address 0 and -1 the last
   one. `base` points behind the last cell: base[index] is the cell, and going past the end shows in the sign.
   A process that steps over the end waits at index 0 or 1, where guard cells bring it back; so the most frequent
   step, to the next cell, costs no test. */
#ifndef SPECIATE_MARS_ENGINE_H
#define SPECIATE_MARS_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables.inc"

#define GUARDS 2
#define OTHER FUSED       /* the number that stands for all instructions without a fused handler */
#define GUARD (FUSED + 1) /* the number of the guard cells */
#define LARGEST_CORE 65536
#define MOST_SEATS 64
#define LAST 64     /* least cycles of the last chunk of a longer round: `cut` never reaches into the one before */
#define CHUNK 512   /* cycles between two looks at queues, signals and ties */
#define SLACK 12288 /* entries of a queue beyond the limit of processes, so that long queues seldom move */

typedef intptr_t Index;

/* `kind` holds opcode, modifier and modes; `handler` the number of the code that executes them. Both follow from
   each other, so that two cells are equal if and only if they are equal as a whole. */
typedef union {
    uint64_t whole;
    struct {
        uint16_t a, b, kind, handler;
    };
    uint16_t field[4];
} Cell;

/* A warrior in a round. Its queue is linear: the last `processes` entries before `tail`, moved back to `queue` now
   and then. The oldest of them is executed next; in a melee its address and handler are at hand in `pc` and
   `target`. */
typedef struct Fighter {
    _Alignas(64) int32_t *tail; /* what a turn touches comes first, in one line of the cache */
    ptrdiff_t processes;
    struct Fighter *next, *previous; /* the living, in a ring */
    Index pc;
    const void *target; /* the handler of its next instruction, as it was when its last turn ended */
    uint8_t *written; /* a byte for each cell, pointed at as `base` points at the core; NULL unless it is counted */
    int64_t spawned;
    int32_t *queue, *queue_end;
    int32_t *uncounted; /* first entry of the queue that is not in `covered` yet */
    uint8_t *covered;   /* likewise, with a byte for each guard too; NULL unless it is counted */
    int32_t *pspace;    /* cell 0 is `result` instead */
    int32_t result;
    int64_t lifetime;
    bool alive;
} Fighter;

typedef struct {
    Cell *base;
    Index size;
    int64_t cycles;
    int32_t processes, pspace, read_limit, write_limit;
    bool stop_at_one, stop_at_tie;
    const atomic_bool *cancelled;

    Fighter *first; /* the one to execute next */
    int living;
    int64_t left;    /* whole cycles to go; the cycle that is running is among them */
    int64_t pause;   /* return when this many are left */
    int64_t cut;     /* turns by which the round ends early on pMARS's clock, which loses one with every death that
                        several survive; always less than LAST cycles have */
    int64_t partial; /* if not 0: execute that many instructions only, less than a cycle, and return */
    bool again; /* the clock has passed 0, and the round is as long again */
    bool over;
} Round;

/* Runs a round until it is over, paused or cancelled. */
typedef void Engine(Round *);

/* What an instruction queues: nothing, one address, or a second one too if there is room; NOWHERE where there is none.
   A number, for a struct of three would be put together in memory and read back as a whole before its parts have
   arrived there, which costs as much as the instruction. */
typedef uint64_t Next;

#define NOWHERE INT32_MAX

static inline Next next_of(int32_t first, int32_t second)
{
    return (uint32_t)first | (uint64_t)(uint32_t)second << 32;
}

static inline int32_t next_first(Next next)
{
    return (int32_t)(uint32_t)next;
}

static inline int32_t next_second(Next next)
{
    return (int32_t)(uint32_t)(next >> 32);
}

/* Executes an instruction with any modes, without limits or under them. */
Next other_instruction(const Round *round, Fighter *w, Index pc);
Next limited_instruction(const Round *round, Fighter *w, Index pc);

extern Engine portable_pair, portable_melee, portable_melee_full, limited_melee;
extern Engine fast_pair, fast_melee, fast_melee_full;
extern const bool fast_exists;

void queue_restart(Fighter *fighter);
bool round_chunk(Round *round, int64_t *chunk);
int64_t turns_after_death(Round *round, int64_t turns);
bool clock_passed(Round *round, int64_t turns);

#endif
