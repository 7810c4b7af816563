/* The __sync and __atomic builtins on plain variables are atomic operations. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int a, b, c, d;

static void *run(void *arg)
{
    int old;

    (void)arg;
    __sync_fetch_and_add(&a, 1);
    __atomic_add_fetch(&b, 2, __ATOMIC_SEQ_CST);
    do
        old = __atomic_load_n(&c, __ATOMIC_SEQ_CST);
    while (!__sync_bool_compare_and_swap(&c, old, old + 1));
    __sync_synchronize();
    (void)__sync_val_compare_and_swap(&d, 0, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a == 2 && b == 4 && c == 2 && d == 1);
    return 0;
}
