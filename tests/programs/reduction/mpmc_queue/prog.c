/* A bounded queue: who puts or takes draws a ticket, and waits until the sequence of its slot has
   come to it. Each thread puts its own item and takes one. -DTHREADS=N -DSLOTS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

struct slot {
    atomic_int sequence;
    int item;
};

static struct slot slots[SLOTS];
static atomic_int puts, takes;
static int taken[THREADS];

static void put(int item)
{
    int ticket = atomic_fetch_add(&puts, 1), turn = 2 * (ticket / SLOTS);
    struct slot *slot = &slots[ticket % SLOTS];

    while (atomic_load(&slot->sequence) != turn)
        ;
    slot->item = item;
    atomic_store(&slot->sequence, turn + 1);
}

static int take(void)
{
    int ticket = atomic_fetch_add(&takes, 1), turn = 2 * (ticket / SLOTS) + 1, item;
    struct slot *slot = &slots[ticket % SLOTS];

    while (atomic_load(&slot->sequence) != turn)
        ;
    item = slot->item;
    atomic_store(&slot->sequence, turn + 1);
    return item;
}

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    put(id);
    taken[id] = take();
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int times[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        times[taken[i]]++;
    for (int i = 0; i < THREADS; i++)
        assert(times[i] == 1);
    return 0;
}
