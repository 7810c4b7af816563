/* A ticket lock, endless or -DROUNDS=N. Tickets wrap around, which does no harm while there are
   more of them than threads. -DBROKEN draws a ticket in two steps. */
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
#ifndef TICKET
#define TICKET unsigned
#endif

static _Atomic TICKET next, serving;
static int owner;

static TICKET draw(void)
{
#ifdef BROKEN
    TICKET ticket = next;

    next = ticket + 1;
    return ticket;
#else
    return atomic_fetch_add(&next, 1);
#endif
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;

    REPEAT {
        TICKET mine = draw();

        while (serving != mine)
            ;
        owner = id;
        assert(owner == id);
        serving++;
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
