/* An exchange of 16 bytes stores the old value in shared memory. */
#include <assert.h>
#include <pthread.h>

struct pair { _Alignas(16) long a; long b; };
static struct pair s = {1, 1}, old;

static void *swapper(void *arg)
{
    struct pair mine = {2, 2};

    __atomic_exchange(&s, &mine, &old, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    long once, again;

    pthread_create(&t, 0, swapper, 0);
    once = old.b;
    again = old.b;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
