/* Three endless threads hand a token round; who has it works alone.
   -DBROKEN passes it on before the work is done. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define MEMBERS 3

static atomic_int token, busy;

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;

    while (1) {
        while (token != id)
            ;
        assert(busy == 0);
        busy = 1;
#ifdef BROKEN
        token = (id + 1) % MEMBERS;
        busy = 0;
#else
        busy = 0;
        token = (id + 1) % MEMBERS;
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t t[MEMBERS];

    for (int i = 0; i < MEMBERS; i++)
        pthread_create(&t[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < MEMBERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
