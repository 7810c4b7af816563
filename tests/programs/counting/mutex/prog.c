/* Increments under one mutex: the order of the critical sections is all that is open. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(x == N);
    return 0;
}
