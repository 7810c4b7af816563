/* What main does before it creates a thread and after it has joined it is ordered. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    x = 1;
    pthread_create(&t[0], NULL, run, NULL);
#ifdef OVERLAP
    pthread_create(&t[1], NULL, run, NULL);
    pthread_join(t[0], NULL);
#else
    pthread_join(t[0], NULL);
    x++;
    pthread_create(&t[1], NULL, run, NULL);
#endif
    pthread_join(t[1], NULL);
    x++;
    return x;
}
