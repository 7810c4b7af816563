/* A test and a set in place of pthread_once: the routine may run twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done, calls;

static void *run(void *arg)
{
    (void)arg;
    if (!done) {
        done = 1;
        calls++;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(calls == 1);
    return 0;
}
