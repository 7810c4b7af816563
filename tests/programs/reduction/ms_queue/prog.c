/* Michael and Scott's lock-free queue: each thread puts its own node in, then takes an item out; no
   node is used twice. -DTHREADS=N, of which -DPUTTERS=N take nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef PUTTERS
#define PUTTERS 0
#endif

struct node {
    struct node *_Atomic next;
    int item;
};

static struct node nodes[THREADS + 1];
static struct node *_Atomic head = &nodes[THREADS], *_Atomic tail = &nodes[THREADS];
static int taken[THREADS];

static void put(struct node *node)
{
    struct node *last, *next;

    for (;;) {
        last = atomic_load(&tail);
        next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next)
            atomic_compare_exchange_strong(&tail, &last, next);
        else if (atomic_compare_exchange_strong(&last->next, &next, node))
            break;
    }
    atomic_compare_exchange_strong(&tail, &last, node);
}

static int take(void)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);

        if (first != atomic_load(&head))
            continue;
        assert(next);
        if (first == last)
            atomic_compare_exchange_strong(&tail, &last, next);
        else if (atomic_compare_exchange_strong(&head, &first, next))
            return next->item;
    }
}

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    nodes[id].item = id;
    put(&nodes[id]);
    if (id >= PUTTERS)
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
    for (int i = PUTTERS; i < THREADS; i++)
        times[taken[i]]++;
    for (struct node *left = head->next; left; left = left->next)
        times[left->item]++;
    for (int i = 0; i < THREADS; i++)
        assert(times[i] == 1);
    return 0;
}
