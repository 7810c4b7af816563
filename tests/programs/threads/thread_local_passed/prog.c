/* A thread-local variable can be reached by others through a pointer. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine;

static void *run(void *arg)
{
    mine = 3;
    *(int *)arg = 5;
    assert(mine == 3);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, &mine);
#ifdef EARLY
    mine = 4;
#endif
    pthread_join(t, NULL);
    assert(mine == 5);
    return 0;
}
