/* pthread_self is the handle that pthread_create gave; every thread has its own. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t first;

static void *run(void *arg)
{
    (void)arg;
    assert(!pthread_equal(pthread_self(), first));
    return (void *)pthread_self();
}

int main(void)
{
    pthread_t t[2];
    void *id[2];

    first = pthread_self();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &id[i]);
    assert(pthread_equal((pthread_t)id[0], t[0]) && pthread_equal((pthread_t)id[1], t[1]));
    assert(!pthread_equal(t[0], t[1]));
    assert(pthread_equal(first, pthread_self()));
    return 0;
}
