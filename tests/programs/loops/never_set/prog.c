/* A loop that waits for a flag nobody sets goes on for ever; that is no deadlock, but it hangs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *run(void *arg)
{
    (void)arg;
    flag = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    while (!flag)
        ;
    pthread_join(t, NULL);
    return 0;
}
