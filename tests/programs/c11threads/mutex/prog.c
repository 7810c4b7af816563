/* A plain mutex of <threads.h> protects a counter. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static int counter;

static int run(void *arg)
{
    (void)arg;
#ifndef UNLOCKED
    mtx_lock(&m);
#endif
    counter++;
#ifndef UNLOCKED
    mtx_unlock(&m);
#endif
    return 0;
}

int main(void)
{
    thrd_t t[2];

    assert(mtx_init(&m, mtx_plain) == thrd_success);
    for (int i = 0; i < 2; i++)
        thrd_create(&t[i], run, NULL);
    for (int i = 0; i < 2; i++)
        thrd_join(t[i], NULL);
    assert(counter == 2);
    mtx_destroy(&m);
    return 0;
}
