/*
 * Lamport's bakery: each thread draws a number and waits until it is the
 * smallest; equal numbers are ordered by thread. Sequentially consistent.
 *
 * What to see: safe, and no race on owner. Without the wait for choosing the
 * assertion fails.
 *
 * Parameters: -DTHREADS=2 -DROUNDS=1  (critical sections per thread)
 *
 * From: Lamport, A new solution of Dijkstra's concurrent programming problem
 * (1974).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int choosing[THREADS];
static atomic_int number[THREADS];
static int owner;

static int draw(int id)
{
    int last = 0;

    choosing[id] = 1;
    for (int i = 0; i < THREADS; i++) {
        if (i != id) {
            int n = number[i];
            if (n > last)
                last = n;
        }
    }
    number[id] = last + 1;
    choosing[id] = 0;
    return last + 1;
}

static int is_before(int other, int id, int mine)
{
    int n = number[other];

    return n != 0 && (n < mine || (n == mine && other < id));
}

static void lock(int id)
{
    int mine = draw(id);

    for (int i = 0; i < THREADS; i++) {
        if (i != id) {
            while (choosing[i])
                ;
            while (is_before(i, id, mine))
                ;
        }
    }
}

static void unlock(int id)
{
    number[id] = 0;
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int r = 0; r < ROUNDS; r++) {
        lock(id);
        owner = id;
        assert(owner == id);
        unlock(id);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
