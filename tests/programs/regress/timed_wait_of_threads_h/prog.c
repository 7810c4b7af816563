/* The same with <threads.h>: a time-out with the predicate already true. */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int setter(void *arg)
{
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec deadline = {1, 0};
    int result = thrd_success;

    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, setter, 0);
    mtx_lock(&m);
    while (!ready && result == thrd_success)
        result = cnd_timedwait(&c, &m, &deadline);
    assert(result != thrd_timedout || !ready);
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
