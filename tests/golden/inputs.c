#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int limit, seen = -1;

static void *reader(void *unused)
{
    (void)unused;
    if (limit > 0)
        seen = limit;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    limit = __VERIFIER_nondet_int();
    limit = -limit;
    pthread_join(t, NULL);
    assert(seen < 2);
    return 0;
}
