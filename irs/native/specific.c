/*
 * Private data of threads under a schedule, and their ends.
 *
 * The C library would call destructors where no gate is. So keys are kept here, and destructors are
 * called by the end of a thread as it was verified, which has a gate before each turn: see
 * imc/program/library/specific.py, which does the same, and imc/frontend/libc/threads.c.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>

enum { KEYS = 1024, ROUNDS = 4 };

typedef void destructor_function(void *);

struct irs_value {
    uint32_t age; /* of the key it was set under */
    bool destroyed; /* whether that was made with a destructor */
    void *value;
};

static struct key {
    _Atomic uint32_t age; /* odd: it is in use */
    _Atomic bool destroyed;
    _Atomic(destructor_function *) destructor;
} keys[KEYS];
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

extern void end_of_thread(void) __asm__("imc.imc_thread_end") __attribute__((weak));

int irs_key_create(uint32_t *key, destructor_function *destructor)
{
    uint32_t number = 0;

    pthread_mutex_lock(&making);
    while (number < KEYS && keys[number].age % 2 == 1)
        number++;
    if (number < KEYS) {
        keys[number].destructor = destructor;
        keys[number].destroyed = destructor != NULL;
        keys[number].age++;
        *key = number;
    }
    pthread_mutex_unlock(&making);
    return number < KEYS ? 0 : EAGAIN;
}

int irs_key_delete(uint32_t key)
{
    if (key >= KEYS)
        return EINVAL;
    pthread_mutex_lock(&making);
    if (keys[key].age % 2 == 1)
        keys[key].age++;
    keys[key].destructor = NULL;
    pthread_mutex_unlock(&making);
    return 0;
}

int irs_set_specific(uint32_t key, const void *value)
{
    struct irs_thread *self = irs_self;

    if (key >= KEYS)
        return EINVAL;
    if (self->values == NULL && (self->values = calloc(KEYS, sizeof *self->values)) == NULL)
        irs_refuse("no memory for the data of a thread");
    self->values[key] = (struct irs_value){keys[key].age, keys[key].destroyed, (void *)value};
    return 0;
}

void *irs_get_specific(uint32_t key)
{
    const struct irs_value *values = irs_self->values;

    return values != NULL && key < KEYS && values[key].age == keys[key].age ? values[key].value
                                                                            : NULL;
}

/* The next turn from a number on, in which there is a value to be destroyed; all of them: none. */
static uint32_t next_turn(const struct irs_thread *self, uint32_t turn)
{
    while (self->values != NULL && turn < ROUNDS * KEYS) {
        const struct irs_value *found = &self->values[turn % KEYS];
        if (found->destroyed && found->value != NULL)
            return turn;
        turn++;
    }
    return ROUNDS * KEYS;
}

int irs_next_destructor(destructor_function **destructor, void **value)
{
    struct irs_thread *self = irs_self;
    uint32_t turn = next_turn(self, self->turn), key = turn % KEYS;
    struct irs_value *found;

    self->turn = turn + 1;
    if (turn == ROUNDS * KEYS) {
        self->ends = true;
        return 0;
    }
    found = &self->values[key];
    *destructor = found->age == keys[key].age ? keys[key].destructor : NULL;
    *value = found->value;
    found->value = NULL;
    return 1;
}

/* What comes after the thread's own functions: nothing, unless somebody can see it. */
void irs_run_end(struct irs_thread *self)
{
    bool left = next_turn(self, 0) < ROUNDS * KEYS;

    if (end_of_thread != NULL && !self->ends && (left || irs_shared_thread_locals))
        end_of_thread();
    free(self->values);
    self->values = NULL;
}
