/* Treiber's lock-free stack: each thread pushes its own node, then pops one; no node is used twice.
   -DTHREADS=N, of which -DPUSHERS=N pop nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef PUSHERS
#define PUSHERS 0
#endif

struct node {
    struct node *_Atomic next;
    int item;
};

static struct node nodes[THREADS];
static struct node *_Atomic top;
static int popped[THREADS];

static void push(struct node *node)
{
    struct node *seen;

    do {
        seen = atomic_load(&top);
        atomic_store(&node->next, seen);
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static int pop(void)
{
    struct node *seen, *next;

    do {
        seen = atomic_load(&top);
        assert(seen);
        next = atomic_load(&seen->next);
    } while (!atomic_compare_exchange_strong(&top, &seen, next));
    return seen->item;
}

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    nodes[id].item = id;
    push(&nodes[id]);
    if (id >= PUSHERS)
        popped[id] = pop();
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
    for (int i = PUSHERS; i < THREADS; i++)
        times[popped[i]]++;
    for (struct node *left = top; left; left = left->next)
        times[left->item]++;
    for (int i = 0; i < THREADS; i++)
        assert(times[i] == 1);
    return 0;
}
