/* The bakery for two, endless or -DROUNDS=N (correct and finite: examples/bakery.c): numbers
   wrap around at MASK, which breaks it. -DBROKEN does not wait while the other draws. */
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
#ifndef MASK
#define MASK ~0u
#endif

static atomic_int drawing[2];
static atomic_uint number[2];
static int owner;

static int is_first(int id, unsigned mine)
{
    unsigned other = number[1 - id];

    return other == 0 || mine < other || (mine == other && id == 0);
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;

    REPEAT {
        drawing[id] = 1;
        unsigned mine = (number[1 - id] + 1) & MASK;
        number[id] = mine;
        drawing[id] = 0;
#ifndef BROKEN
        while (drawing[1 - id])
            ;
#endif
        while (!is_first(id, mine))
            ;
        owner = id;
        assert(owner == id);
        number[id] = 0;
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
