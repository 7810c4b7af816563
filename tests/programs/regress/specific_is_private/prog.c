/* Each thread's value of a key leads to memory of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg)
{
    int *mine = calloc(1, sizeof *mine);

    pthread_setspecific(key, mine);
    ++*(int *)pthread_getspecific(key);
    assert(*mine == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, free);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
