/* The words that the generated handlers use, except those that depend on the engine (HANDLER, ENTER, GO, SPLIT,
   DIE, MARK, PC, SIZE). Everything is a value or a statement; `base` and `round` are the engine's variables. */

#define AT(i) base[i]
#define WRAP(i) wrap((i), SIZE)
#define INC(v) ((uint32_t)(v) + 1 == (uint32_t)SIZE ? 0 : (uint32_t)(v) + 1)
#define DEC(v) ((v) == 0 ? (uint32_t)SIZE - 1 : (uint32_t)(v) - 1)
#define REDUCE(v) reduce((v), (uint32_t)SIZE)

#define SET_A(i, v) (AT(i).a = (uint16_t)(v), MARK(i))
#define SET_B(i, v) (AT(i).b = (uint16_t)(v), MARK(i))
#define SET_FIELD(i, f, v) (AT(i).field[f] = (uint16_t)(v), MARK(i))
#define SET_CELL(i, c) (AT(i) = (c), MARK(i))

#define MODE_A(kind) ((kind) >> 3 & 7)
#define MODE_B(kind) ((kind) & 7)
#define IS(what, mode) (M_##what >> (mode) & 1)

/* An address that may be one core size too large. */
static inline Index wrap(Index i, Index size)
{
    return i < 0 ? i : i - size;
}

/* A value that may be one core size too large. */
static inline uint32_t reduce(uint32_t value, uint32_t size)
{
    return value >= size ? value - size : value;
}

/* How far an instruction reaches under a limit, in [0, size). */
static inline uint32_t fold(uint32_t distance, uint32_t limit, uint32_t size)
{
    const uint32_t rest = distance % limit;
    return rest > limit / 2 ? rest + size - limit : rest;
}

#define FOLD_READ(v) fold((v), (uint32_t)round->read_limit, (uint32_t)SIZE)
#define FOLD_WRITE(v) fold((v), (uint32_t)round->write_limit, (uint32_t)SIZE)

static inline uint32_t pspace_load(const Fighter *fighter, uint32_t number, uint32_t cells)
{
    const uint32_t cell = number % cells;
    return (uint32_t)(cell ? fighter->pspace[cell] : fighter->result);
}

static inline void pspace_store(Fighter *fighter, uint32_t number, uint32_t value, uint32_t cells)
{
    const uint32_t cell = number % cells;
    *(cell ? &fighter->pspace[cell] : &fighter->result) = (int32_t)value;
}
