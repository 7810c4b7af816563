/* Three threads try to own a variable: the first wins, and the losers only read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;

static void *run(void *arg)
{
    int none = 0;

    atomic_compare_exchange_strong(&owner, &none, (int)(long)arg);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
