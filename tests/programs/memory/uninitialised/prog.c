/* A decision on a value that nobody has set; another thread may come too late. */
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
    int result = 0;

    p = ALLOCATE;
    pthread_create(&t, NULL, run, NULL);
    if (*p)
        result = 1;
    pthread_join(t, NULL);
    free(p);
    return result;
}
