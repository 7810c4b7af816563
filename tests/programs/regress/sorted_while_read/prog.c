/* qsort moves the elements of a shared array: a reader sees one of them twice. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a[2] = {2, 1};

static int ascending(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static void *sorts(void *arg)
{
    qsort(a, 2, sizeof *a, ascending);
    return arg;
}

int main(void)
{
    pthread_t t;
    int first, second;

    pthread_create(&t, 0, sorts, 0);
    first = a[0];
    second = a[1];
    pthread_join(t, 0);
    assert(first != second);
    return 0;
}
