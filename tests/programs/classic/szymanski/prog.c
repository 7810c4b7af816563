/* Szymanski's algorithm for two threads: a waiting room with two doors. Endless or -DROUNDS=N.
   -DBROKEN walks through the first door although it is closed. */
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

enum { OUTSIDE, WISHES, WAITS, IN_DOOR, INSIDE };

static atomic_int state[2];
static int owner;

static int is_between_doors(int s)
{
    return s == WAITS || s == IN_DOOR;
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg, other = 1 - id;

    REPEAT {
        state[id] = WISHES;
#ifndef BROKEN
        while (state[other] >= IN_DOOR)
            ;
#endif
        state[id] = IN_DOOR;
        if (state[other] == WISHES) {
            state[id] = WAITS;
            while (state[other] != INSIDE)
                ;
        }
        state[id] = INSIDE;
        while (id == 1 && state[0] >= WAITS)
            ;
        owner = id;
        assert(owner == id);
        while (id == 0 && is_between_doors(state[1]))
            ;
        state[id] = OUTSIDE;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
