/* N threads store to one variable, each its own number. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    x = (int)(long)arg;
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
