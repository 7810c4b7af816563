/* A lock that tests and sets in two operations. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int held;
static int counter;

static void *run(void *arg)
{
    (void)arg;
    while (held)
        ;
    held = 1;
    counter++;
    held = 0;
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
