/* The Python module _mars: copies and checks a batch, has threads fight it without the GIL, answers signals. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batch.h"

#define MOST_THREADS 256
#define POLL_NANOSECONDS 50000000 /* how often a long batch looks for signals */
#define QUICK 2000000             /* with at most this many instructions nobody waits long enough to interrupt */

/* ---- Arrays from Python ---- */

/* Copies an array of int32; NULL with an exception if it is not one or has not `count` numbers. */
static int32_t *take(PyObject *object, const char *name, size_t count)
{
    Py_buffer view;
    int32_t *copy = NULL;
    if (PyObject_GetBuffer(object, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return NULL;
    if (view.itemsize != 4 || !view.format || strcmp(view.format, "i") != 0)
        PyErr_Format(PyExc_TypeError, "%s must be an array of int32", name);
    else if ((size_t)view.len != count * 4)
        PyErr_Format(PyExc_ValueError, "%s must hold %zu numbers, not %zd", name, count, view.len / 4);
    else if (!(copy = malloc(count * 4 + 4)))
        PyErr_NoMemory();
    else
        memcpy(copy, view.buf, count * 4);
    PyBuffer_Release(&view);
    return copy;
}

/* Borrows an array to write results to; false with an exception if it does not fit. */
static bool lend(PyObject *object, Py_buffer *view, const char *name, Py_ssize_t itemsize, size_t count)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) return false;
    if (view->itemsize == itemsize && (size_t)view->len == count * (size_t)itemsize) return true;
    PyErr_Format(PyExc_ValueError, "%s must hold %zu numbers of %zd bytes", name, count, itemsize);
    return false;
}

/* ---- Threads ---- */

typedef struct {
    Batch *batch;
    atomic_int next;    /* the first battle that nobody has taken */
    atomic_int running; /* workers that have not finished */
    atomic_bool no_memory;
    pthread_mutex_t lock;
    pthread_cond_t finished;
} Work;

static void fight(Work *work)
{
    Batch *batch = work->batch;
    Arena arena;
    if (arena_open(&arena, batch)) {
        while (!atomic_load(&batch->cancelled)) {
            const int battle = atomic_fetch_add(&work->next, 1);
            if (battle >= batch->battles) break;
            arena_fight(&arena, batch, battle);
        }
    } else {
        atomic_store(&work->no_memory, true);
    }
    arena_close(&arena, batch);
}

static void *worker(void *argument)
{
    Work *work = argument;
    fight(work);
    pthread_mutex_lock(&work->lock);
    if (atomic_fetch_sub(&work->running, 1) == 1) pthread_cond_signal(&work->finished);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* Waits until all workers are done, or for a while. */
static bool wait_for(Work *work)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&work->lock);
    if (atomic_load(&work->running)) pthread_cond_timedwait(&work->finished, &work->lock, &until);
    pthread_mutex_unlock(&work->lock);
    return atomic_load(&work->running) == 0;
}

/* Lets `threads` workers fight while this thread answers signals; false with an exception. */
static bool fight_in_threads(Work *work, int threads)
{
    pthread_t ids[MOST_THREADS];
    int started = 0;
    bool interrupted = false, done = false;
    atomic_store(&work->running, threads);
    while (started < threads && pthread_create(&ids[started], NULL, worker, work) == 0) started++;
    atomic_fetch_sub(&work->running, threads - started);
    while (started && !done) {
        Py_BEGIN_ALLOW_THREADS
        done = wait_for(work);
        Py_END_ALLOW_THREADS
        if (!done && !interrupted && PyErr_CheckSignals()) {
            interrupted = true;
            atomic_store(&work->batch->cancelled, true);
        }
    }
    for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
    if (!started) PyErr_SetString(PyExc_OSError, "no thread could be started");
    return started && !interrupted;
}

static bool fight_all(Batch *batch, int threads)
{
    Work work = {.batch = batch};
    const double turns = (double)batch->battles * batch->rounds * batch->seats * (double)batch->rules.cycles;
    bool fine = true;
    if (threads > batch->battles) threads = batch->battles;
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.finished, NULL);
    if (threads <= 1 && turns <= QUICK) {
        Py_BEGIN_ALLOW_THREADS
        fight(&work);
        Py_END_ALLOW_THREADS
    } else {
        fine = fight_in_threads(&work, threads > 1 ? threads : 1);
    }
    pthread_cond_destroy(&work.finished);
    pthread_mutex_destroy(&work.lock);
    if (fine && atomic_load(&work.no_memory)) {
        PyErr_NoMemory();
        fine = false;
    }
    return fine;
}

/* ---- Functions ---- */

static void batch_free(Batch *batch)
{
    free(batch->code);
    free(batch->offsets);
    free(batch->starts);
    free(batch->lineups);
    free(batch->positions);
    free(batch->pspaces);
    free(batch->packed);
    free(batch->stores);
}

/* Fills a batch from ((warriors, cells, battles, rounds, seats), (six arrays), (rules)). */
static bool batch_take(Batch *batch, PyObject *shape, PyObject *arrays, PyObject *rules)
{
    PyObject *code, *offsets, *starts, *lineups, *positions, *pspaces;
    Rules *r = &batch->rules;
    long long cycles;
    int rotate, one, tie, covered, written, fast;
    memset(batch, 0, sizeof *batch);
    if (!PyArg_ParseTuple(shape, "iiiii;shape", &batch->warriors, &batch->cells, &batch->battles, &batch->rounds,
                          &batch->seats) ||
        !PyArg_ParseTuple(arrays, "OOOOOO;arrays", &code, &offsets, &starts, &lineups, &positions, &pspaces) ||
        !PyArg_ParseTuple(rules, "iLiiiipppppp;rules", &r->core_size, &cycles, &r->processes, &r->pspace,
                          &r->read_limit, &r->write_limit, &rotate, &one, &tie, &covered, &written, &fast))
        return false;
    if (batch->warriors < 0 || batch->cells < 0 || batch->battles < 0 || batch->rounds < 0 || batch->seats < 0 ||
        batch->seats > MOST_SEATS) {
        PyErr_Format(PyExc_ValueError, "no size may be negative, and a battle has at most %d seats", MOST_SEATS);
        return false;
    }
    r->cycles = cycles;
    r->rotate = rotate;
    r->stop_at_one = one;
    r->stop_at_tie = tie;
    r->covered = covered;
    r->written = written;
    r->fast = fast;
    const size_t seated = (size_t)batch->battles * (size_t)batch->seats;
    if ((double)seated * batch->rounds > 1e12) {
        PyErr_SetString(PyExc_ValueError, "the batch is too large");
        return false;
    }
    if (!(batch->code = take(code, "code", (size_t)batch->cells * 6)) ||
        !(batch->offsets = take(offsets, "offsets", (size_t)batch->warriors + 1)) ||
        !(batch->starts = take(starts, "starts", (size_t)batch->warriors)) ||
        !(batch->lineups = take(lineups, "lineups", seated)) ||
        !(batch->positions = take(positions, "positions", seated * (size_t)batch->rounds)) ||
        !(batch->pspaces = take(pspaces, "pspaces", seated)))
        return false;
    const char *wrong = batch_check(batch);
    if (wrong) PyErr_SetString(PyExc_ValueError, wrong);
    return !wrong;
}

static PyObject *run(PyObject *module, PyObject *arguments)
{
    (void)module;
    static const char *const names[] = {"alive", "lifetime", "spawned", "covered", "written"};
    static const Py_ssize_t sizes[] = {1, 8, 8, 4, 4};
    PyObject *shape, *arrays, *rules, *results[5];
    Py_buffer views[5];
    Batch batch;
    int threads, held = 0;
    bool fine = false;
    if (!PyArg_ParseTuple(arguments, "O!O!O!(OOOOO)i:run", &PyTuple_Type, &shape, &PyTuple_Type, &arrays,
                          &PyTuple_Type, &rules, &results[0], &results[1], &results[2], &results[3], &results[4],
                          &threads))
        return NULL;
    if (threads < 1 || threads > MOST_THREADS)
        return PyErr_Format(PyExc_ValueError, "threads must lie in 1..%d", MOST_THREADS);
    if (batch_take(&batch, shape, arrays, rules)) {
        const size_t count = (size_t)batch.battles * (size_t)batch.rounds * (size_t)batch.seats;
        for (fine = true; fine && held < 5; held++) {
            views[held].obj = NULL;
            fine = lend(results[held], &views[held], names[held], sizes[held], count);
        }
        if (fine && !batch_pack(&batch)) {
            PyErr_NoMemory();
            fine = false;
        }
        if (fine) {
            batch.alive = views[0].buf;
            batch.lifetime = views[1].buf;
            batch.spawned = views[2].buf;
            batch.covered = views[3].buf;
            batch.written = views[4].buf;
            fine = fight_all(&batch, threads);
        }
        while (held--)
            if (views[held].obj) PyBuffer_Release(&views[held]);
    }
    batch_free(&batch);
    if (!fine) return NULL;
    Py_INCREF(Py_None);
    return Py_None;
}

/* Executes that many instructions of a battle; the ring's first fighter is then the next one. */
static void advance(Arena *arena, const Batch *batch, int64_t instructions, bool pairs)
{
    Round *round = &arena->round;
    while (!round->over && round->left > 0 && instructions >= round->living) {
        const int64_t cycles = pairs && round->living == 2 ? instructions / 2 : 1;
        round->pause = round->left > cycles ? round->left - cycles : 0;
        instructions -= (round->left - round->pause) * round->living;
        arena_run(arena, batch, pairs);
    }
    round->pause = 0;
    if (!round->over && round->left > 0 && instructions > 0) {
        round->partial = instructions;
        arena_run(arena, batch, false);
    }
}

/* Returns (core as bytes, next seat, addresses of every seat's processes). */
static PyObject *describe(const Arena *arena)
{
    const Round *round = &arena->round;
    const Index size = round->size;
    PyObject *queues = PyList_New(0);
    for (int seat = 0; queues && seat < arena->seats; seat++) {
        const Fighter *fighter = &arena->fighters[seat];
        PyObject *queue = PyList_New(0);
        for (const int32_t *entry = fighter->tail - fighter->processes; queue && entry < fighter->tail; entry++) {
            PyObject *address = PyLong_FromLong((long)((*entry + size) % size));
            if (!address || PyList_Append(queue, address)) Py_CLEAR(queue);
            Py_XDECREF(address);
        }
        if (!queue || PyList_Append(queues, queue)) Py_CLEAR(queues);
        Py_XDECREF(queue);
    }
    if (!queues) return NULL;
    PyObject *core = PyBytes_FromStringAndSize((const char *)arena->cells, (Py_ssize_t)((size_t)size * sizeof(Cell)));
    return core ? Py_BuildValue("NiN", core, (int)(round->first - arena->fighters), queues) : NULL;
}

static PyObject *state(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *shape, *arrays, *rules, *found = NULL;
    long long instructions;
    int pairs;
    Batch batch;
    if (!PyArg_ParseTuple(arguments, "O!O!O!Lp:state", &PyTuple_Type, &shape, &PyTuple_Type, &arrays, &PyTuple_Type,
                          &rules, &instructions, &pairs))
        return NULL;
    if (batch_take(&batch, shape, arrays, rules)) {
        Arena arena;
        const bool memory = arena_open(&arena, &batch) && batch_pack(&batch);
        if (batch.battles < 1 || batch.rounds < 1 || batch.seats < 1) {
            PyErr_SetString(PyExc_ValueError, "a state needs a battle, a round and a warrior");
        } else if (!memory) {
            PyErr_NoMemory();
        } else {
            arena_enter(&arena, &batch, 0);
            arena_load(&arena, &batch, 0, 0);
            advance(&arena, &batch, instructions, pairs);
            found = describe(&arena);
        }
        arena_close(&arena, &batch);
    }
    batch_free(&batch);
    return found;
}

static PyObject *facts(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("{s:O,s:i,s:s}", "jumps", fast_exists ? Py_True : Py_False, "fused", FUSED, "compiler",
#if defined __clang__
                         __VERSION__
#elif defined __GNUC__
                         "GCC " __VERSION__
#else
                         "an unknown compiler"
#endif
    );
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, "Fights a batch: run(shape, arrays, rules, results, threads)."},
    {"state", state, METH_VARARGS, "Returns the core after some instructions of the first battle."},
    {"facts", facts, METH_NOARGS, "Returns how the module was built."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_mars",
    .m_doc = "Core War battles in C.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__mars(void)
{
    return PyModuleDef_Init(&definition);
}
