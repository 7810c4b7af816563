/*
 * Dekker's mutual exclusion for two threads, sequentially consistent.
 *
 * What to see: safe, and no race on owner. A thread that has to give way takes
 * back its wish, waits for its turn and tries again: two nested waiting loops.
 *
 * Parameters: -DROUNDS=1  (critical sections per thread)
 *
 * From: Dijkstra, Cooperating sequential processes (1965).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int interested[2];
static atomic_int turn;
static int owner;

static void lock(int id)
{
    int other = 1 - id;

    interested[id] = 1;
    while (interested[other]) {
        if (turn != id) {
            interested[id] = 0;
            while (turn != id)
                ;
            interested[id] = 1;
        }
    }
}

static void unlock(int id)
{
    turn = 1 - id;
    interested[id] = 0;
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
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
