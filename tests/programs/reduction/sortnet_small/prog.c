/* Two threads sort three numbers: the first compares the lower pair, the second the upper one,
   then the first the lower one again; the generation of the middle one tells whose turn it is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int x[3] = {3, 2, 1};
static atomic_int generation;

static void sort(int *low, int *high)
{
    if (*low > *high) {
        int kept = *low;

        *low = *high;
        *high = kept;
    }
}

static void *lower(void *arg)
{
    (void)arg;
    sort(&x[0], &x[1]);
    atomic_store(&generation, 1);
    while (atomic_load(&generation) != 2)
        ;
    sort(&x[0], &x[1]);
    return NULL;
}

static void *upper(void *arg)
{
    (void)arg;
    while (atomic_load(&generation) != 1)
        ;
    sort(&x[1], &x[2]);
    atomic_store(&generation, 2);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, lower, NULL);
    pthread_create(&t[1], NULL, upper, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(x[0] <= x[1] && x[1] <= x[2]);
    return 0;
}
