/* A loop of compare and exchange loses no update. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x = 1;

static void *run(void *arg)
{
    int old = atomic_load(&x);

    while (!atomic_compare_exchange_strong(&x, &old, old * (int)(long)arg))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, run, (void *)2);
    pthread_create(&t[1], NULL, run, (void *)3);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(x == 6);
    return 0;
}
