/* What happens between the chunks of a round. */
#include "engine.h"

#include <string.h>

/* Queues shorter than this move back at every occasion, to stay in the cache. */
#define SHORT_QUEUE 64

/* Marks the addresses that were queued since the last time; the guards have marks of their own. */
static void count_covered(Fighter *fighter)
{
    uint8_t *const covered = fighter->covered;
    const int32_t *entry = fighter->uncounted;
    for (; fighter->tail - entry >= 4; entry += 4) {
        covered[entry[0]] = 1;
        covered[entry[1]] = 1;
        covered[entry[2]] = 1;
        covered[entry[3]] = 1;
    }
    for (; entry < fighter->tail; entry++) covered[*entry] = 1;
}

/* Makes room for another chunk at the end of the queue. */
void queue_restart(Fighter *fighter)
{
    const ptrdiff_t waiting = fighter->processes;
    if (fighter->covered) count_covered(fighter);
    if (waiting <= SHORT_QUEUE || fighter->queue_end - fighter->tail < 2 * CHUNK) {
        memmove(fighter->queue, fighter->tail - waiting, (size_t)waiting * sizeof(int32_t));
        fighter->tail = fighter->queue + waiting;
    }
    fighter->uncounted = fighter->tail;
}

/* Whether every living warrior has more processes than turns, so that none can die. */
static bool tie_is_certain(const Round *round)
{
    const Fighter *fighter = round->first;
    for (int i = 0; i < round->living; i++, fighter = fighter->next)
        if (fighter->processes <= round->left) return false;
    return true;
}

/* Prepares the next cycles to run, at most CHUNK of them, and takes them from `left`; false if there are none. */
bool round_chunk(Round *round, int64_t *chunk)
{
    if (round->left == 0 || (round->stop_at_tie && tie_is_certain(round))) round->over = true;
    if (round->over || round->left <= round->pause || atomic_load(round->cancelled)) return false;
    Fighter *fighter = round->first;
    for (int i = 0; i < round->living; i++, fighter = fighter->next) queue_restart(fighter);
    *chunk = round->left - round->pause;
    if (*chunk > CHUNK) *chunk = *chunk - LAST < CHUNK ? *chunk - LAST : CHUNK;
    round->left -= *chunk;
    return true;
}

/* Takes the turns of a dead warrior off those of the chunk, its last one among them. With several still alive pMARS
   takes one more off what is left of the whole round: kept in `cut`, it is due when the round ends. */
int64_t turns_after_death(Round *round, int64_t turns)
{
    const int64_t before = round->living + 1, unmoved = (turns - 1) % before;
    if (round->stop_at_one && round->living > 1)
        round->cut += 1 - (round->cut > unmoved ? (round->cut - unmoved + before - 1) / before : 0);
    return turns - 1 - (turns - 1) / before;
}

/* Whether a death as the very last instruction has taken pMARS's clock past 0, where it does not stop: the round goes
   on until one is left. pMARS would go on for ever; here it is as long again. */
bool clock_passed(Round *round, int64_t turns)
{
    if (turns >= 0 || round->left > 0) return false;
    round->left = round->cycles;
    round->cut = 0;
    round->again = true;
    return true;
}
