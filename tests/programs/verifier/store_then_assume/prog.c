/* A store counts although its thread then fails an assumption: another thread saw it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    __VERIFIER_assume(0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    assert(x == 0);
    pthread_join(t, NULL);
    return 0;
}
