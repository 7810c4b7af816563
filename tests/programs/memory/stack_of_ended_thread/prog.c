/* A thread hands the address of its variable to a child, and ends before the child uses it. */
#include <pthread.h>
#include <stddef.h>

static pthread_t inner;

static void *use(void *arg)
{
    return (void *)(long)*(int *)arg;
}

static void *run(void *arg)
{
    int local = 1;

    (void)arg;
    pthread_create(&inner, NULL, use, &local);
#ifdef JOIN
    pthread_join(inner, NULL);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
#ifndef JOIN
    pthread_join(inner, NULL);
#endif
    return 0;
}
