/* In 64 bits a long long is stored in one step, and an atomic one in 32 bits too. */
#include <assert.h>
#include <pthread.h>

#ifndef ATOMIC
#define ATOMIC
#endif
static ATOMIC long long g;

static void *writer(void *arg)
{
    g = -1;
    return arg;
}

int main(void)
{
    pthread_t t;
    long long seen;

    pthread_create(&t, 0, writer, 0);
    seen = g;
    pthread_join(t, 0);
    assert(seen == 0 || seen == -1);
    return 0;
}
