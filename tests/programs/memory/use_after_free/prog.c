/* One thread frees what the other still uses. */
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *run(void *arg)
{
    (void)arg;
    *p = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    p = malloc(sizeof *p);
    pthread_create(&t, NULL, run, NULL);
#ifdef JOIN_FIRST
    pthread_join(t, NULL);
    free(p);
#else
    free(p);
    pthread_join(t, NULL);
#endif
    return 0;
}
