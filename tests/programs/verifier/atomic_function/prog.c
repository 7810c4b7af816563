/* A function named __VERIFIER_atomic_... is an atomic section: enough for a lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static int held, counter;

void PREFIX_acquire(void)
{
    __VERIFIER_assume(held == 0);
    held = 1;
}

void PREFIX_release(void)
{
    held = 0;
}

static void *run(void *arg)
{
    (void)arg;
    PREFIX_acquire();
    counter++;
    PREFIX_release();
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
