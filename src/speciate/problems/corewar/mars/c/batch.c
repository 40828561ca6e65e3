/* Battles from first to last: loads a round, chooses its engine, writes down what came of it. */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

static bool within(const int32_t *values, size_t count, size_t stride, int32_t least, int32_t end)
{
    for (size_t i = 0; i < count; i++)
        if (values[i * stride] < least || values[i * stride] >= end) return false;
    return true;
}

static bool divides(int32_t part, int32_t size)
{
    return part >= 1 && part <= size && size % part == 0;
}

static const char *check_rules(const Rules *rules)
{
    const int32_t size = rules->core_size;
    if (size < 1 || size > LARGEST_CORE) return "core_size must lie in 1..65536";
    if (rules->processes < 1 || rules->processes > LARGEST_CORE) return "processes must lie in 1..65536";
    if (rules->cycles < 1 || rules->cycles > INT64_C(1) << 31) return "cycles must lie in 1..2^31";
    if (rules->pspace < 1 || rules->pspace > size) return "the size of P-space must lie in 1..core_size";
    if (!divides(rules->read_limit, size)) return "the read limit must divide the core size";
    if (!divides(rules->write_limit, size)) return "the write limit must divide the core size";
    return NULL;
}

static const char *check_code(const Batch *batch)
{
    const size_t cells = (size_t)batch->cells;
    const int32_t *code = batch->code, size = batch->rules.core_size;
    if (!within(code, cells, 6, 0, OPCODES)) return "code holds an unknown opcode";
    if (!within(code + 1, cells, 6, 0, MODIFIERS)) return "code holds an unknown modifier";
    if (!within(code + 2, cells, 6, 0, MODES)) return "code holds an unknown A mode";
    if (!within(code + 4, cells, 6, 0, MODES)) return "code holds an unknown B mode";
    if (!within(code + 3, cells, 6, 0, size) || !within(code + 5, cells, 6, 0, size))
        return "numbers of instructions must lie in 0..core size - 1";
    if (batch->offsets[0] != 0 || batch->offsets[batch->warriors] != batch->cells)
        return "offsets must span the code";
    for (int32_t i = 0; i < batch->warriors; i++) {
        const int64_t length = (int64_t)batch->offsets[i + 1] - batch->offsets[i];
        if (batch->offsets[i] < 0 || length < 1 || length > size)
            return "a warrior must have at least one cell and fit the core";
        if (batch->starts[i] < 0 || batch->starts[i] >= length) return "a start must lie within its warrior";
    }
    return NULL;
}

static const char *check_lineup(const Batch *batch, const int32_t *lineup, const int32_t *pspaces)
{
    for (int32_t seat = 0; seat < batch->seats; seat++) {
        if (lineup[seat] < -1 || lineup[seat] >= batch->warriors) return "a line-up names an unknown warrior";
        if (lineup[seat] < 0) {
            if (seat == 0) return "a battle needs a warrior";
            continue;
        }
        if (seat && lineup[seat - 1] < 0) return "empty seats must come last";
        if (pspaces[seat] < 0 || pspaces[seat] >= batch->seats)
            return "the number of a P-space must lie in 0..seats - 1";
    }
    return NULL;
}

const char *batch_check(const Batch *batch)
{
    const size_t placed = (size_t)batch->battles * batch->rounds * batch->seats;
    const char *wrong = check_rules(&batch->rules);
    if (!wrong) wrong = check_code(batch);
    for (int32_t battle = 0; !wrong && battle < batch->battles; battle++) {
        const size_t row = (size_t)battle * batch->seats;
        wrong = check_lineup(batch, batch->lineups + row, batch->pspaces + row);
    }
    if (!wrong && !within(batch->positions, placed, 1, 0, batch->rules.core_size))
        wrong = "positions must lie in 0..core size - 1";
    return wrong;
}

/* Whether the engine that obeys read and write limits is needed. */
static bool limited(const Rules *rules)
{
    return rules->read_limit < rules->core_size || rules->write_limit < rules->core_size;
}

static Cell cell_of(unsigned kind, uint16_t a, uint16_t b, bool fused)
{
    Cell cell = {.whole = 0};
    cell.a = a;
    cell.b = b;
    cell.kind = (uint16_t)kind;
    cell.handler = fused ? handler_of_kind[kind] : OTHER;
    return cell;
}

bool batch_pack(Batch *batch)
{
    const bool fused = !limited(&batch->rules);
    batch->packed = malloc(((size_t)batch->cells + 1) * sizeof(Cell));
    batch->stores = calloc((size_t)batch->warriors + 1, sizeof(bool));
    if (!batch->packed || !batch->stores) return false;
    for (int32_t warrior = 0; warrior < batch->warriors; warrior++)
        for (int32_t i = batch->offsets[warrior]; i < batch->offsets[warrior + 1]; i++) {
            const int32_t *row = batch->code + 6 * (size_t)i;
            const unsigned kind = (unsigned)(row[0] << 9 | row[1] << 6 | row[2] << 3 | row[4]);
            batch->packed[i] = cell_of(kind, (uint16_t)row[3], (uint16_t)row[5], fused);
            if (row[0] == STORES) batch->stores[warrior] = true;
        }
    return true;
}

bool arena_open(Arena *arena, const Batch *batch)
{
    const Rules *rules = &batch->rules;
    const size_t size = (size_t)rules->core_size, seats = (size_t)batch->seats;
    const size_t queue = (size_t)rules->processes + SLACK;
    memset(arena, 0, sizeof *arena);
    arena->cells = malloc((size + GUARDS) * sizeof(Cell));
    arena->pspaces = malloc((seats * (size_t)rules->pspace + 1) * sizeof(int32_t));
    arena->marks = rules->covered || rules->written ? malloc(2 * seats * (size + GUARDS) + 1) : NULL;
    if (!arena->cells || !arena->pspaces || ((rules->covered || rules->written) && !arena->marks)) return false;
    for (size_t seat = 0; seat < seats; seat++) {
        Fighter *fighter = &arena->fighters[seat];
        fighter->queue = malloc(queue * sizeof(int32_t));
        if (!fighter->queue) return false;
        fighter->queue_end = fighter->queue + queue;
        if (rules->covered) fighter->covered = arena->marks + seat * (size + GUARDS) + size;
        if (rules->written) fighter->written = arena->marks + (seats + seat) * (size + GUARDS) + size;
    }
    Round *round = &arena->round;
    round->base = arena->cells + size;
    round->size = rules->core_size;
    round->cycles = rules->cycles;
    round->processes = rules->processes;
    round->pspace = rules->pspace;
    round->read_limit = rules->read_limit;
    round->write_limit = rules->write_limit;
    round->cancelled = &batch->cancelled;
    const Cell guard = {.handler = GUARD};
    for (int i = 0; i < GUARDS; i++) round->base[i] = guard;
    return true;
}

void arena_close(Arena *arena, const Batch *batch)
{
    for (int32_t seat = 0; seat < batch->seats; seat++) free(arena->fighters[seat].queue);
    free(arena->marks);
    free(arena->pspaces);
    free(arena->cells);
}

void arena_enter(Arena *arena, const Batch *batch, int32_t battle)
{
    const int32_t *lineup = batch->lineups + (size_t)battle * batch->seats;
    const int32_t *numbers = batch->pspaces + (size_t)battle * batch->seats;
    const size_t pspace = (size_t)batch->rules.pspace;
    memset(arena->pspaces, 0, (size_t)batch->seats * pspace * sizeof(int32_t));
    for (arena->seats = 0; arena->seats < batch->seats && lineup[arena->seats] >= 0; arena->seats++) {
        Fighter *fighter = &arena->fighters[arena->seats];
        fighter->pspace = arena->pspaces + (size_t)numbers[arena->seats] * pspace;
        fighter->result = batch->rules.core_size - 1;
    }
}

static void load_code(Arena *arena, const Batch *batch, int32_t warrior, int32_t position)
{
    const int32_t first = batch->offsets[warrior], length = batch->offsets[warrior + 1] - first;
    const int32_t room = batch->rules.core_size - position;
    const int32_t before = length < room ? length : room;
    memcpy(arena->cells + position, batch->packed + first, (size_t)before * sizeof(Cell));
    memcpy(arena->cells, batch->packed + first + before, (size_t)(length - before) * sizeof(Cell));
}

static void load_fighter(Arena *arena, const Batch *batch, int seat, int32_t address)
{
    Fighter *fighter = &arena->fighters[seat];
    const size_t size = (size_t)batch->rules.core_size;
    fighter->processes = 1;
    fighter->tail = fighter->uncounted = fighter->queue + 1;
    *fighter->queue = address - batch->rules.core_size;
    fighter->next = &arena->fighters[(seat + 1) % arena->seats];
    fighter->previous = &arena->fighters[(seat + arena->seats - 1) % arena->seats];
    fighter->spawned = 0;
    fighter->alive = true;
    fighter->lifetime = batch->rules.cycles;
    if (fighter->covered) memset(fighter->covered - size, 0, size + GUARDS);
    if (fighter->written) memset(fighter->written - size, 0, size);
}

/* Whether someone could write P-space in this round and read it in a later one. */
static bool pspace_matters(const Arena *arena, const Batch *batch, int32_t battle, int32_t number)
{
    const int32_t *lineup = batch->lineups + (size_t)battle * batch->seats;
    if (number + 1 == batch->rounds) return false;
    for (int seat = 0; seat < arena->seats; seat++)
        if (batch->stores[lineup[seat]]) return true;
    return false;
}

void arena_load(Arena *arena, const Batch *batch, int32_t battle, int32_t number)
{
    const int32_t size = batch->rules.core_size;
    const int32_t *lineup = batch->lineups + (size_t)battle * batch->seats;
    const int32_t *positions = batch->positions + ((size_t)battle * batch->rounds + number) * batch->seats;
    const Cell empty = cell_of(EMPTY_KIND, 0, 0, !limited(&batch->rules));
    Round *round = &arena->round;
    for (int32_t i = 0; i < size; i++) arena->cells[i] = empty;
    for (int seat = 0; seat < arena->seats; seat++) {
        load_code(arena, batch, lineup[seat], positions[seat]);
        load_fighter(arena, batch, seat, (positions[seat] + batch->starts[lineup[seat]]) % size);
    }
    round->first = &arena->fighters[batch->rules.rotate ? number % arena->seats : 0];
    round->living = arena->seats;
    round->left = batch->rules.cycles;
    round->pause = 0;
    round->partial = 0;
    round->cut = 0;
    round->again = false;
    round->over = false;
    round->stop_at_one = batch->rules.stop_at_one && arena->seats > 1;
    round->stop_at_tie = batch->rules.stop_at_tie && !pspace_matters(arena, batch, battle, number);
}

/* Returns the engine that can fight any round. */
static Engine *engine_for(const Rules *rules)
{
    if (limited(rules)) return limited_melee;
    const bool jumps = rules->fast && fast_exists;
    if (rules->written) return jumps ? fast_melee_full : portable_melee_full;
    return jumps ? fast_melee : portable_melee;
}

void arena_run(Arena *arena, const Batch *batch, bool pairs)
{
    Round *round = &arena->round;
    const Rules *rules = &batch->rules;
    if (pairs && round->living == 2 && round->stop_at_one && !rules->covered && !rules->written && !limited(rules))
        (rules->fast && fast_exists ? fast_pair : portable_pair)(round);
    else
        engine_for(rules)(round);
}

/* Adds up marks, which are 0 or 1, eight at a time. */
static int32_t sum(const uint8_t *marks, int32_t size)
{
    int32_t total = 0, i = 0;
    for (uint64_t eight; i + 8 <= size; i += 8) {
        memcpy(&eight, marks + i, 8);
        total += (int32_t)(eight * UINT64_C(0x0101010101010101) >> 56);
    }
    for (; i < size; i++) total += marks[i];
    return total;
}

/* Counts the addresses a warrior queued; one at a guard is one at the beginning of the core. */
static int32_t count_covered(Fighter *fighter, int32_t size)
{
    uint8_t *const first = fighter->covered - size;
    queue_restart(fighter);
    for (int32_t i = 0; i < GUARDS; i++) first[i % size] |= fighter->covered[i];
    return sum(first, size);
}

static void write_down(Arena *arena, const Batch *batch, size_t row)
{
    const Rules *rules = &batch->rules;
    for (int seat = 0; seat < arena->seats; seat++) {
        Fighter *fighter = &arena->fighters[seat];
        /* In a core smaller than the crowd the number wraps, as every number in a cell does. */
        fighter->result = fighter->alive ? arena->round.living % rules->core_size : 0;
        batch->alive[row + seat] = fighter->alive;
        batch->lifetime[row + seat] = fighter->lifetime;
        if (rules->covered) {
            batch->spawned[row + seat] = fighter->spawned;
            batch->covered[row + seat] = count_covered(fighter, rules->core_size);
        }
        if (rules->written) batch->written[row + seat] = sum(fighter->written - rules->core_size, rules->core_size);
    }
}

void arena_fight(Arena *arena, const Batch *batch, int32_t battle)
{
    arena_enter(arena, batch, battle);
    if (arena->seats == 0) return;
    for (int32_t number = 0; number < batch->rounds; number++) {
        arena_load(arena, batch, battle, number);
        arena_run(arena, batch, true);
        if (atomic_load(&batch->cancelled)) return;
        write_down(arena, batch, ((size_t)battle * batch->rounds + number) * batch->seats);
    }
}
