/* pthread_join stores the result where a third thread reads. */
#include <assert.h>
#include <pthread.h>

static void *result;

static void *ends(void *arg)
{
    return arg;
}

static void *reads(void *arg)
{
    void *once = result, *again = result;

    assert(once == again);
    return arg;
}

int main(void)
{
    pthread_t t, reader;

    pthread_create(&t, 0, ends, &result);
    pthread_create(&reader, 0, reads, 0);
    pthread_join(t, &result);
    pthread_join(reader, 0);
    return 0;
}
