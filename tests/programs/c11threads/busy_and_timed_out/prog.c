/* The results of <threads.h> are its own, not those of errno. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t m, own;
static cnd_t c;

static int run(void *arg)
{
    struct timespec soon = {1, 0};

    (void)arg;
#if defined TRY
    assert(mtx_trylock(&m) == thrd_busy);
#elif defined TIMED
    assert(mtx_timedlock(&m, &soon) == thrd_timedout);
#else
    mtx_lock(&own);
    assert(cnd_timedwait(&c, &own, &soon) == thrd_timedout);
    mtx_unlock(&own);
#endif
    return 0;
}

int main(void)
{
    thrd_t t;

    mtx_init(&m, mtx_timed);
    mtx_init(&own, mtx_plain);
    cnd_init(&c);
    assert(mtx_trylock(&m) == thrd_success);
    thrd_create(&t, run, NULL);
    thrd_join(t, NULL);
    return 0;
}
