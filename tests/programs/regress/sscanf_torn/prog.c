/* sscanf stores one number after the other. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int a, b;

static void *scans(void *arg)
{
    sscanf("1 2", "%d %d", &a, &b);
    return arg;
}

int main(void)
{
    pthread_t t;
    int before, first, after;

    pthread_create(&t, 0, scans, 0);
    before = b;
    first = a;
    after = b;
    pthread_join(t, 0);
    assert(first == 0 ? before == 0 : after == 2);
    return 0;
}
