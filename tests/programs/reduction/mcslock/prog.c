/* The queue lock of Mellor-Crummey and Scott, as in Linux: each waits at its own node.
   -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

struct node {
    struct node *_Atomic next;
    atomic_int granted;
};

static struct node nodes[THREADS];
static struct node *_Atomic tail;

static void lock(struct node *mine)
{
    struct node *before;

    atomic_store(&mine->next, NULL);
    atomic_store(&mine->granted, 0);
    before = atomic_exchange(&tail, mine);
    if (before == NULL)
        return;
    atomic_store(&before->next, mine);
    while (!atomic_load(&mine->granted))
        ;
}

static void unlock(struct node *mine)
{
    struct node *after = atomic_load(&mine->next), *seen = mine;

    if (after == NULL) {
        if (atomic_compare_exchange_strong(&tail, &seen, NULL))
            return;
        while ((after = atomic_load(&mine->next)) == NULL)
            ;
    }
    atomic_store(&after->granted, 1);
}

static int x, count;

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    lock(&nodes[id]);
    x = id;
    assert(x == id);
    count++;
    unlock(&nodes[id]);
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
