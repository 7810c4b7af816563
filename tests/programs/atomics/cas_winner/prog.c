/* Of two that compare and exchange, exactly one succeeds, and either can. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;
static int won[3];

static void *run(void *arg)
{
    int none = 0, me = (int)(long)arg;

    won[me] = atomic_compare_exchange_strong(&owner, &none, me);
    assert(won[me] ? none == 0 : none == 3 - me);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(won[1] + won[2] == 1 && won[owner]);
#ifdef WHO
    assert(owner == WHO);
#endif
    return 0;
}
