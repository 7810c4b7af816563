/* A shared array is sorted and read under a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a[2] = {2, 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int ascending(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static void *sorts(void *arg)
{
    pthread_mutex_lock(&m);
    qsort(a, 2, sizeof *a, ascending);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, sorts, 0);
    pthread_mutex_lock(&m);
    assert(a[0] + a[1] == 3);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(a[0] == 1 && a[1] == 2);
    return 0;
}
