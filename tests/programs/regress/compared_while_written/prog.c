/* memcmp reads two blocks that another thread keeps equal, and sees only one of them written. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char a[2], b[2];

static void *writer(void *arg)
{
    a[0] = b[0] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int order;

    pthread_create(&t, 0, writer, 0);
    order = memcmp(a, b, 2);
    pthread_join(t, 0);
    assert(order == 0);
    return 0;
}
