/* Endless threads take and give back places without a lock: compare-exchange keeps the number
   within its limit. -DBROKEN tests and adds in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define PLACES 2

static atomic_int taken;

static int take(void)
{
    int old = taken;

#ifdef BROKEN
    if (old == PLACES)
        return 0;
    taken++;
    return 1;
#else
    while (old < PLACES)
        if (atomic_compare_exchange_strong(&taken, &old, old + 1))
            return 1;
    return 0;
#endif
}

static void *guest(void *arg)
{
    (void)arg;
    while (1) {
        if (take()) {
            int seen = taken;
            assert(1 <= seen && seen <= PLACES);
            taken--;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, guest, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
