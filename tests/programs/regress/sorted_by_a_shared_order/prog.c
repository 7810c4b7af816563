/* The comparison that qsort calls reads a global that another thread changes. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a[2] = {2, 1};
static int descending;

static int compare(const void *x, const void *y)
{
    int order = *(const int *)x - *(const int *)y;

    return descending ? -order : order;
}

static void *sorts(void *arg)
{
    qsort(a, 2, sizeof *a, compare);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, sorts, 0);
    descending = 1;
    pthread_join(t, 0);
    assert(a[0] == 1);
    return 0;
}
