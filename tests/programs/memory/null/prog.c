/* A pointer that another thread may not have set yet. */
#include <pthread.h>
#include <stddef.h>

static int target;
static int *p;

static void *run(void *arg)
{
    (void)arg;
    p = &target;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
#ifdef TEST
    if (p != NULL)
#endif
        *p = 1;
    pthread_join(t, NULL);
    return 0;
}
