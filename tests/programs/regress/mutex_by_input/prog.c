/* Which mutex is taken depends on an input; each guards an element of its own. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x[2];

static void *worker(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint() % 2;

    pthread_mutex_lock(&m[i]);
    x[i]++;
    x[i]--;
    pthread_mutex_unlock(&m[i]);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m[0]);
    assert(x[0] == 0);
    pthread_mutex_unlock(&m[0]);
    pthread_join(t, 0);
    return 0;
}
