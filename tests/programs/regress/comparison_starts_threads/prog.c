/* The comparison that qsort calls starts a thread, each time that it is called. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *adds(void *arg)
{
    int before = x;

    x = before + 1;
    assert(x == before + 1);
    return arg;
}

static int compare(const void *a, const void *b)
{
    pthread_t t;

    pthread_create(&t, 0, adds, 0);
    return *(const char *)a - *(const char *)b;
}

int main(void)
{
    char letters[3] = {1, 2, 3};

    qsort(letters, 3, 1, compare);
    return 0;
}
