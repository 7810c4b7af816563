/* One thread hands out shared memory, and another one asserts what is in it. */
#include <assert.h>
#include <pthread.h>

extern void fill(void *, unsigned long);
static int buffer[2];

static void *fills(void *arg)
{
    fill(buffer, sizeof buffer);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, fills, 0);
    assert(buffer[1] == 0);
    pthread_join(t, 0);
    return 0;
}
