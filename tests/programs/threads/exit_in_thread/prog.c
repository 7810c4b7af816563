/* exit() in a thread ends the whole program: main never gets past the join. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *run(void *arg)
{
    (void)arg;
    exit(0);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    assert(0);
    return 0;
}
