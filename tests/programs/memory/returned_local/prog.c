/* A thread returns the address of its own variable. */
#include <pthread.h>
#include <stddef.h>

static void *run(void *arg)
{
    int local = 7;
    int *p = &local;

    (void)arg;
    return p;
}

int main(void)
{
    pthread_t t;
    void *value;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, &value);
    return *(int *)value;
}
