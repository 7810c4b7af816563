/* A thread waits in a loop: an execution that repeats a state is cut. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *run(void *arg)
{
    (void)arg;
    while (!flag)
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    flag = 1;
    pthread_join(t, NULL);
    return 0;
}
