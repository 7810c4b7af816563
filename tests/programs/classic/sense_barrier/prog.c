/* A barrier with a sense that is reversed each time: no thread is a whole phase ahead. Endless.
   -DBROKEN does not reverse it: the barrier holds once only. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int arrived, sense, phase[2];

static int meet(int mine)
{
#ifdef BROKEN
    mine = 1;
#else
    mine = 1 - mine;
#endif
    if (atomic_fetch_add(&arrived, 1) == 1) {
        arrived = 0;
        sense = mine;
    } else {
        while (sense != mine)
            ;
    }
    return mine;
}

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;
    int mine = 0, at = 0;

    while (1) {
        at = (at + 1) % 4;
        phase[id] = at;
        mine = meet(mine);
        int ahead = (phase[1 - id] - at + 4) % 4;
        assert(ahead == 0 || ahead == 1);
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
