/* Futexes as man 2 futex describes them, as far as C libraries use them for threads. */

#include "futexes.h"

#include <errno.h>
#include <linux/futex.h>

#include "choice.h"
#include "threads.h"

static int waiters(const uint32_t *word, int *found)
{
    int count = 0;
    for (int k = 0; k < thread_count; k++)
        if (threads[k].state == WAITING && threads[k].word == word)
            found[count++] = k;
    return count;
}

static void resume(struct thread *t, long result)
{
    t->state = READY;
    t->result = result;
}

static long wake(const uint32_t *word, uint32_t most)
{
    long woken = 0;
    int found[MOST_THREADS];
    for (; woken < most; woken++) {
        int count = waiters(word, found);
        if (count == 0)
            break;
        resume(&threads[found[choice_draw(&choice, (uint64_t)count)]], 0);
    }
    return woken;
}

static long requeue(const uint32_t *from, uint32_t most, uint32_t *to)
{
    int found[MOST_THREADS], count = waiters(from, found);
    for (int k = 0; k < count && (uint32_t)k < most; k++)
        {
        threads[found[k]].word = to;
        threads[found[k]].value = *to;
    }
    return count;
}

static long wait_for(int me, uint32_t *word, uint32_t value, int timed)
{
    struct thread *t = &threads[me];
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return -EAGAIN;
    t->state = WAITING;
    t->word = word;
    t->value = value;
    t->timed = timed;
    thread_give_turns(me);
    return t->result;
}

long futex(int me, uint32_t *word, int operation, uint32_t value, long timeout, uint32_t *other)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return wait_for(me, word, value, timeout != 0);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return wake(word, value);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
        long woken = wake(word, value);
        return woken + requeue(word, (uint32_t)timeout, other);
    }
    }
    return -ENOSYS;
}

void futex_look_around(void)
{
    for (int k = 0; k < thread_count; k++)
        if (threads[k].state == WAITING && *threads[k].word != threads[k].value)
            resume(&threads[k], 0);
}

int futex_time_out(void)
{
    int found[MOST_THREADS], count = 0;
    for (int k = 0; k < thread_count; k++)
        if (threads[k].state == WAITING && threads[k].timed)
            found[count++] = k;
    if (count)
        resume(&threads[found[choice_draw(&choice, (uint64_t)count)]], -ETIMEDOUT);
    return count;
}
