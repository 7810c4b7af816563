/* Linux's queued spinlock, simplified: one word says that it is taken, that one more waits, and
   who is last in the queue of the others. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#define LOCKED 1
#define PENDING 256
#define TAIL 65536

struct node {
    struct node *_Atomic next;
    atomic_int granted;
};

static struct node nodes[THREADS];
static atomic_int word;

static int try(void)
{
    int seen = 0;

    return atomic_compare_exchange_strong(&word, &seen, LOCKED);
}

static void queue(int id)
{
    struct node *mine = &nodes[id], *after = NULL;
    int tail = (id + 1) * TAIL, seen;

    atomic_store(&mine->next, NULL);
    atomic_store(&mine->granted, 0);
    if (try())
        return;
    seen = atomic_load(&word);
    while (!atomic_compare_exchange_strong(&word, &seen, seen % TAIL + tail))
        ;
    if (seen >= TAIL) {
        atomic_store(&nodes[seen / TAIL - 1].next, mine);
        while (!atomic_load(&mine->granted))
            ;
        after = atomic_load(&mine->next);
    }
    do
        seen = atomic_load(&word);
    while (seen % TAIL);
    if (seen == tail && atomic_compare_exchange_strong(&word, &seen, LOCKED))
        return;
    atomic_fetch_or(&word, LOCKED);
    while (after == NULL)
        after = atomic_load(&mine->next);
    atomic_store(&after->granted, 1);
}

static void lock(int id)
{
    int seen = 0;

    if (atomic_compare_exchange_strong(&word, &seen, LOCKED))
        return;
    if (seen == PENDING)
        seen = atomic_load(&word);
    if (seen <= LOCKED) {
        seen = atomic_fetch_or(&word, PENDING);
        if (seen <= LOCKED) {
            while (atomic_load(&word) & LOCKED)
                ;
            atomic_fetch_add(&word, LOCKED - PENDING);
            return;
        }
        if (!(seen & PENDING))
            atomic_fetch_and(&word, ~PENDING);
    }
    queue(id);
}

static void unlock(void)
{
    atomic_fetch_sub(&word, LOCKED);
}

static int x, count;

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    lock(id);
    x = id;
    assert(x == id);
    count++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
    return 0;
}
