/* Lamport's fast mutex for two threads: without contention nobody waits. Endless or -DROUNDS=N.
   -DBROKEN does not wait for the other to notice that the door is closed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static atomic_int trying[3], last, door;
static int owner;

static void lock(int id)
{
    for (;;) {
        trying[id] = 1;
        last = id;
        if (door == 0) {
            door = id;
            if (last == id)
                return;
            trying[id] = 0;
#ifndef BROKEN
            while (trying[3 - id])
                ;
#endif
            if (door == id)
                return;
        }
        trying[id] = 0;
        while (door != 0)
            ;
    }
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;

    REPEAT {
        lock(id);
        owner = id;
        assert(owner == id);
        door = 0;
        trying[id] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, member, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
