/* A thread may be joined by another one than its creator. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_t writer;

static void *write_x(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

static void *wait_for_x(void *arg)
{
    (void)arg;
    assert(pthread_join(writer, NULL) == 0);
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&writer, NULL, write_x, NULL);
    pthread_create(&t, NULL, wait_for_x, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
