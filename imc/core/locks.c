/* Mutexes, spin locks, conditions, semaphores and barriers, as imc/compact/locks.py has them. */
#include "machine.h"

enum { EBUSY = 16, EDEADLK = 35, EINVAL = 22, EPERM = 1 };
enum { COUNT = 4, KIND = 16, RECURSIVE = 1, ERRORCHECK = 2 }; /* of a mutex */
enum { NEEDED = 0, ARRIVED = 4 };                             /* of a barrier */
enum { LARGEST = 0x7fffffff };                                /* of a semaphore */
#define SERIAL_THREAD 0xffffffffu
enum { WAITS_FOR_SIGNAL = 1, WOKEN = 2 };

/* How large the types are in C, and how many bytes of each an event touches. */
enum { MUTEX_SIZE = 40, SPIN_SIZE = 4, CONDITION_SIZE = 48, SEMAPHORE_SIZE = 32, BARRIER_SIZE = 32 };
enum { MUTEX = 20, SPIN = 4, CONDITION = 16, SEMAPHORE = 4, BARRIER = 20, SET = 16 };

static value load(machine *m, value object, int64_t offset, int64_t size) {
    return read_cell(m, moved(m, object, offset), size);
}

static void store(machine *m, value object, int64_t offset, int64_t size, value v) {
    write_cell(m, moved(m, object, offset), size, v);
}

/* A field of an object, which must have been initialised. */
static uint64_t field(machine *m, value object, int64_t offset, int64_t size, int64_t whole) {
    demand(m, object, whole);
    value v = load(m, object, offset, size);
    if (v.u) fault(m, LOCK);
    return v.v;
}

/* Who holds a lock; 0: nobody. */
static uint64_t owner(machine *m, value object, int64_t whole) {
    uint64_t held = field(m, object, 0, 4, whole);
    if (held && (held > (uint64_t)m->threads || m->numbers[STATUS][held - 1] == ABSENT))
        fault(m, LOCK);
    return held;
}

static void touch_object(machine *m, int mode, value object, int64_t size) {
    touch(m, mode, object.v, size, 1, 0, UNDEFINED);
}

static int64_t done(machine *m, value *r, int64_t d, uint64_t result) {
    put(m, r, d, NUMBER(result));
    return m->at + 1;
}

/* The operation has touched its object, and is over. */
static int64_t changed(machine *m, value *r, const int64_t *i, int64_t size, uint64_t result,
                       int mode) {
    touch_object(m, mode, r[i[2]], size);
    return done(m, r, i[1], result);
}

static uint64_t known_number(machine *m, value v) {
    if (v.u) refuse(m, LOCK_NOT_INITIALISED);
    return v.v;
}

static void take_lock(machine *m, value object) {
    store(m, object, 0, 4, NUMBER((uint64_t)m->thread + 1));
    if (m->acquired_count == MOST_TOGETHER) refuse(m, TOO_MUCH_AT_ONCE);
    m->acquired[m->acquired_count++] = object.v;
}

static _Noreturn void wait_for(machine *m, int what, value object, uint64_t held) {
    blocked(m, what, 1, object.v, held ? (int)held - 1 : -1);
}

/* ---------------------------------------------------------------------------------------- mutexes */

static int64_t mutex_init(machine *m, value *r, const int64_t *i) {
    value kind = NUMBER(0);
    if (i[4] >= 0) {
        /* In Python an undefined kind is -1, of which this bit is set. */
        kind = NUMBER(r[i[4]].u ? RECURSIVE : r[i[4]].v & RECURSIVE);
    }
    if (i[3] >= 0) {
        value attributes = r[i[3]];
        if (!attributes.u && attributes.v >> SHIFT) {
            kind = load(m, attributes, 0, 4);
            touch(m, READ, attributes.v, 4, 0, 0, UNDEFINED);
        } else if (attributes.u || attributes.v) {
            refuse(m, NO_ATTRIBUTES);
        }
    }
    demand(m, r[i[2]], MUTEX_SIZE);
    store(m, r[i[2]], 0, 4, NUMBER(0));
    store(m, r[i[2]], COUNT, 4, NUMBER(0));
    store(m, r[i[2]], KIND, 4, kind);
    return changed(m, r, i, MUTEX, 0, WRITE);
}

static int64_t mutex_destroy(machine *m, value *r, const int64_t *i) {
    if (owner(m, r[i[2]], MUTEX_SIZE)) return changed(m, r, i, MUTEX, EBUSY, WRITE);
    store(m, r[i[2]], 0, 4, UNDEFINED);
    return changed(m, r, i, MUTEX, 0, WRITE);
}

static uint64_t kind_of(machine *m, value mutex) { return field(m, mutex, KIND, 4, MUTEX_SIZE) & 3; }

/* Takes the mutex; -1 when another thread, or for a normal one this thread, holds it. */
static int64_t enter(machine *m, value *r, const int64_t *i, int trying) {
    value mutex = r[i[2]];
    uint64_t held = owner(m, mutex, MUTEX_SIZE);
    if (held == 0) {
        take_lock(m, mutex);
        return changed(m, r, i, MUTEX, 0, WRITE);
    }
    if (held == (uint64_t)m->thread + 1) {
        uint64_t kind = kind_of(m, mutex);
        if (kind == RECURSIVE) {
            uint64_t depth = known_number(m, load(m, mutex, COUNT, 4));
            store(m, mutex, COUNT, 4, NUMBER(depth + 1));
            return changed(m, r, i, MUTEX, 0, WRITE);
        }
        if (kind == ERRORCHECK && !trying) return changed(m, r, i, MUTEX, EDEADLK, READ);
    }
    return -1;
}

static int64_t mutex_lock(machine *m, value *r, const int64_t *i) {
    int64_t after = enter(m, r, i, 0);
    if (after < 0) wait_for(m, FOR_MUTEX, r[i[2]], load(m, r[i[2]], 0, 4).v);
    return after;
}

static int64_t mutex_trylock(machine *m, value *r, const int64_t *i) {
    m->tries = 1;
    int64_t after = enter(m, r, i, 1);
    return after < 0 ? changed(m, r, i, MUTEX, (uint64_t)i[4], READ) : after;
}

static int64_t mutex_unlock(machine *m, value *r, const int64_t *i) {
    value mutex = r[i[2]];
    if (owner(m, mutex, MUTEX_SIZE) != (uint64_t)m->thread + 1) {
        uint64_t kind = kind_of(m, mutex);
        if (kind == ERRORCHECK || kind == RECURSIVE) return changed(m, r, i, MUTEX, EPERM, READ);
        fault(m, LOCK);
    }
    uint64_t depth = known_number(m, load(m, mutex, COUNT, 4));
    if (depth == 0)
        store(m, mutex, 0, 4, NUMBER(0));
    else
        store(m, mutex, COUNT, 4, NUMBER(depth - 1));
    return changed(m, r, i, MUTEX, 0, WRITE);
}

static int64_t destroy(machine *m, value *r, const int64_t *i) {
    int64_t size = i[3] == CONDITION ? SET : 4; /* the set of who waits is one scalar */
    demand(m, r[i[2]], i[4]);
    store(m, r[i[2]], 0, size, UNDEFINED);
    return changed(m, r, i, i[3], 0, WRITE);
}

/* ------------------------------------------------------------------------------------- spin locks */

static int64_t spin(machine *m, value *r, const int64_t *i) {
    value lock = r[i[2]];
    if (i[0] == SPIN_INIT) {
        store(m, lock, 0, 4, NUMBER(0));
        return changed(m, r, i, SPIN, 0, WRITE);
    }
    if (i[0] == SPIN_TRYLOCK) m->tries = 1;
    uint64_t held = owner(m, lock, SPIN_SIZE);
    if (i[0] == SPIN_UNLOCK) {
        if (held != (uint64_t)m->thread + 1) fault(m, LOCK);
        store(m, lock, 0, 4, NUMBER(0));
        return changed(m, r, i, SPIN, 0, WRITE);
    }
    if (held && i[0] == SPIN_LOCK) wait_for(m, FOR_SPIN, lock, held);
    if (held) return changed(m, r, i, SPIN, EBUSY, READ);
    take_lock(m, lock);
    return changed(m, r, i, SPIN, 0, WRITE);
}

/* ------------------------------------------------------------------------------------- conditions */

static uint64_t waiters_of(machine *m, value condition) {
    uint64_t waiters = field(m, condition, 0, SET, CONDITION_SIZE);
    for (int t = 0; t < MOST_THREADS; t++)
        if (waiters >> t & 1 && (t >= m->threads || m->numbers[STATUS][t] == ABSENT))
            fault(m, LOCK);
    return waiters;
}

static void set_phase(machine *m, int64_t phase, int64_t scratch) {
    set(m, PHASE, m->thread, phase);
    set(m, SCRATCH, m->thread, scratch);
}

static int64_t begin_wait(machine *m, value condition, value mutex, int may_wake) {
    if (owner(m, mutex, MUTEX_SIZE) != (uint64_t)m->thread + 1) fault(m, LOCK);
    if (decide(m, load(m, mutex, COUNT, 4))) fault(m, LOCK);
    int unsignalled = may_wake && choose(m, 2);
    store(m, mutex, 0, 4, NUMBER(0));
    m->note = unsignalled ? UNSIGNALLED : GIVES_BACK;
    if (!unsignalled) {
        uint64_t waiters = waiters_of(m, condition) | 1ull << m->thread;
        store(m, condition, 0, SET, NUMBER(waiters));
    }
    touch_object(m, WRITE, condition, CONDITION);
    touch_object(m, WRITE, mutex, MUTEX);
    set_phase(m, unsignalled ? WOKEN : WAITS_FOR_SIGNAL, 0);
    return AGAIN;
}

static int64_t cond_wait(machine *m, value *r, const int64_t *i) {
    value condition = r[i[2]], mutex = r[i[3]];
    int64_t phase = m->numbers[PHASE][m->thread];
    if (phase == 0) return begin_wait(m, condition, mutex, i[4] != 0);
    if (phase == WAITS_FOR_SIGNAL) {
        if (waiters_of(m, condition) >> m->thread & 1) {
            touch_object(m, WRITE, mutex, MUTEX);
            wait_for(m, FOR_SIGNAL, condition, 0);
        }
        touch_object(m, WRITE, condition, CONDITION);
    }
    uint64_t held = owner(m, mutex, MUTEX_SIZE);
    if (held) wait_for(m, FOR_MUTEX, mutex, held);
    take_lock(m, mutex);
    touch_object(m, WRITE, mutex, MUTEX);
    m->note = HAS_AGAIN;
    set_phase(m, 0, 0);
    return done(m, r, i[1], 0);
}

static int64_t cond_signal(machine *m, value *r, const int64_t *i) {
    uint64_t waiters = waiters_of(m, r[i[2]]);
    m->wakes = 1;
    m->note = WAKES_NOBODY;
    if (!waiters) return changed(m, r, i, CONDITION, 0, WRITE);
    touch_object(m, WRITE, r[i[2]], CONDITION);
    int nth = choose(m, __builtin_popcountll(waiters)), woken = 0;
    for (;; woken++)
        if (waiters >> woken & 1 && nth-- == 0) break;
    store(m, r[i[2]], 0, SET, NUMBER(waiters & ~(1ull << woken)));
    m->note = WAKES;
    m->noted = woken;
    return done(m, r, i[1], 0);
}

static int64_t cond_broadcast(machine *m, value *r, const int64_t *i) {
    uint64_t waiters = waiters_of(m, r[i[2]]);
    m->wakes = 1;
    touch_object(m, WRITE, r[i[2]], CONDITION);
    store(m, r[i[2]], 0, SET, NUMBER(0));
    m->note = waiters ? WAKES_ALL : WAKES_NOBODY;
    m->noted = waiters ? __builtin_popcountll(waiters) : 0;
    return done(m, r, i[1], 0);
}

/* -------------------------------------------------------------------------- semaphores, barriers */

static int64_t semaphore(machine *m, value *r, const int64_t *i) {
    value object = r[i[2]];
    if (i[0] == SEM_INIT) {
        if (r[i[3]].u || r[i[3]].v > LARGEST) refuse(m, NO_COUNT);
        demand(m, object, SEMAPHORE_SIZE);
        store(m, object, 0, 4, r[i[3]]);
        return changed(m, r, i, SEMAPHORE, 0, WRITE);
    }
    uint64_t count = field(m, object, 0, 4, SEMAPHORE_SIZE);
    if (i[0] == SEM_WAIT) {
        if (count == 0) wait_for(m, FOR_SEMAPHORE, object, 0);
        store(m, object, 0, 4, NUMBER(count - 1));
        return changed(m, r, i, SEMAPHORE, 0, WRITE);
    }
    if (count == LARGEST) refuse(m, FULL_SEMAPHORE);
    store(m, object, 0, 4, NUMBER(count + 1));
    return changed(m, r, i, SEMAPHORE, 0, POST);
}

static int64_t barrier_init(machine *m, value *r, const int64_t *i) {
    if (!r[i[3]].u && r[i[3]].v == 0) return done(m, r, i[1], EINVAL);
    demand(m, r[i[2]], BARRIER_SIZE);
    store(m, r[i[2]], NEEDED, 4, r[i[3]]);
    store(m, r[i[2]], ARRIVED, SET, NUMBER(0));
    return changed(m, r, i, BARRIER, 0, WRITE);
}

/* First event: arrive. Second one: leave, once all have arrived. b: its result is looked at. */
static int64_t barrier_wait(machine *m, value *r, const int64_t *i) {
    value barrier = r[i[2]];
    uint64_t bit = 1ull << m->thread;
    uint64_t needed = field(m, barrier, NEEDED, 4, BARRIER_SIZE);
    uint64_t waiters = field(m, barrier, ARRIVED, SET, BARRIER_SIZE);
    if (m->numbers[PHASE][m->thread] == 0) {
        if (needed == 0) fault(m, LOCK);
        int last = (uint64_t)__builtin_popcountll(waiters | bit) == needed;
        store(m, barrier, ARRIVED, SET, NUMBER(last ? 0 : waiters | bit));
        touch_object(m, last || i[3] ? WRITE : ARRIVE, barrier, BARRIER);
        m->note = last ? ARRIVES_LAST : ARRIVES;
        set_phase(m, 1, last && i[3] ? SERIAL_THREAD : 0);
        return AGAIN;
    }
    if (waiters & bit) wait_for(m, FOR_BARRIER, barrier, 0);
    m->note = LEAVES;
    uint64_t result = (uint64_t)m->numbers[SCRATCH][m->thread];
    set_phase(m, 0, 0);
    return changed(m, r, i, BARRIER, result, READ);
}

int64_t perform_lock(machine *m, value *r, const int64_t *i) {
    switch (i[0]) {
    case MUTEX_INIT: return mutex_init(m, r, i);
    case MUTEX_DESTROY: return mutex_destroy(m, r, i);
    case MUTEX_LOCK: return mutex_lock(m, r, i);
    case MUTEX_TRYLOCK: return mutex_trylock(m, r, i);
    case MUTEX_UNLOCK: return mutex_unlock(m, r, i);
    case SPIN_INIT: case SPIN_LOCK: case SPIN_TRYLOCK: case SPIN_UNLOCK: return spin(m, r, i);
    case COND_INIT:
        demand(m, r[i[2]], CONDITION_SIZE);
        store(m, r[i[2]], 0, SET, NUMBER(0));
        return changed(m, r, i, CONDITION, 0, WRITE);
    case COND_WAIT: return cond_wait(m, r, i);
    case COND_SIGNAL: return cond_signal(m, r, i);
    case COND_BROADCAST: return cond_broadcast(m, r, i);
    case SEM_INIT: case SEM_WAIT: case SEM_POST: return semaphore(m, r, i);
    case BARRIER_INIT: return barrier_init(m, r, i);
    case BARRIER_WAIT: return barrier_wait(m, r, i);
    case DESTROY: return destroy(m, r, i);
    default: refuse(m, ODD_FORM);
    }
}
