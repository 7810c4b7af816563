/* The return of main ends the other threads wherever they are, but not before. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int stage;

static void *run(void *arg)
{
    (void)arg;
#ifdef TWICE
    assert(stage != 2);
#else
    assert(stage == 0);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    stage = 1;
    return 0;
}
