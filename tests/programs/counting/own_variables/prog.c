/* Three threads, each with a variable of its own that main reads in the end. */
#include <pthread.h>
#include <stddef.h>

static int x[3];

static void *run(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, &x[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return x[0] + x[1] + x[2];
}
