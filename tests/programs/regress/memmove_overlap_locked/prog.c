/* An overlapping memmove under a lock: the elements move together, and none gets lost. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int a[3] = {1, 2, 3};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *arg)
{
    pthread_mutex_lock(&m);
    memmove(a + 1, a, 2 * sizeof *a);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, mover, 0);
    pthread_mutex_lock(&m);
    assert(a[0] == 1 && a[2] == a[1] + 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(a[0] == 1 && a[1] == 1 && a[2] == 2);
    return 0;
}
