/* A condition variable of <threads.h>. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int waiter(void *arg)
{
    (void)arg;
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    return ready;
}

int main(void)
{
    thrd_t t;
    int result;

    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, waiter, NULL);
    mtx_lock(&m);
    ready = 1;
#ifndef FORGET
    cnd_broadcast(&c);
#endif
    mtx_unlock(&m);
    thrd_join(t, &result);
    assert(result == 1);
    cnd_destroy(&c);
    return 0;
}
