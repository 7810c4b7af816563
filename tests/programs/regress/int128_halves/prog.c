/* Two threads write an __int128: one half is from one of them, the other from the other. */
#include <assert.h>
#include <pthread.h>

static __int128 g;

static void *writer(void *arg)
{
    g = ((__int128)1 << 64) + 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    g = ((__int128)2 << 64) + 2;
    pthread_join(t, 0);
    assert((long)g == (long)(g >> 64));
    return 0;
}
