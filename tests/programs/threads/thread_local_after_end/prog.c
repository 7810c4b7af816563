/* A thread-local variable lives as long as its thread: the pointer dangles after the join. */
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine;

static void *run(void *arg)
{
    (void)arg;
    mine = 3;
    return &mine;
}

int main(void)
{
    pthread_t t;
    void *p;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, &p);
    return *(int *)p;
}
