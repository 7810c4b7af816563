/*
 * Treiber's lock-free stack. Each thread pushes its own nodes, then pops as
 * many as it has pushed (its own or others').
 *
 * The nodes come from a pool and are pushed once, so the ABA problem of a
 * stack that reuses its nodes does not arise.
 *
 * What to see: safe. No pop finds the stack empty, and every node is popped
 * exactly once.
 *
 * Parameters: -DTHREADS=2 -DITEMS=1  (nodes per thread)
 *
 * From: Treiber, Systems programming: coping with parallelism (1986).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

struct node {
    struct node *next;
    int value;
};

static struct node pool[THREADS * ITEMS];
static _Atomic(struct node *) top;
static int popped[THREADS * ITEMS];

static void push(struct node *node)
{
    struct node *old = atomic_load(&top);

    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&top);

    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    return old;
}

static void *member(void *arg)
{
    int first = (int)(intptr_t)arg * ITEMS;

    for (int i = first; i < first + ITEMS; i++) {
        pool[i].value = i;
        push(&pool[i]);
    }
    for (int i = first; i < first + ITEMS; i++) {
        struct node *node = pop();
        assert(node);
        popped[i] = node->value;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    int times[THREADS * ITEMS] = {0};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);

    assert(!atomic_load(&top));
    for (int i = 0; i < THREADS * ITEMS; i++)
        times[popped[i]]++;
    for (int i = 0; i < THREADS * ITEMS; i++)
        assert(times[i] == 1);
    return 0;
}
