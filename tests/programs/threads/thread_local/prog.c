/* Every thread has its own copy of a thread-local variable, with its initial value. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine = 5;
static __thread int also_mine;

static void *run(void *arg)
{
    static _Thread_local int inside;

    (void)arg;
    mine++;
    also_mine += mine;
    inside++;
    assert(mine == 6 && also_mine == 6 && inside == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    mine = 9;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(mine == 9 && also_mine == 0);
    return 0;
}
