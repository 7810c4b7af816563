/* Thread-specific data: NULL at first, then what the thread itself has set. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key, other;

static void *run(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, arg) == 0);
    assert(pthread_getspecific(other) == NULL);
    assert(pthread_getspecific(key) == arg);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    assert(pthread_key_create(&key, NULL) == 0 && pthread_key_create(&other, NULL) == 0);
    pthread_setspecific(key, &key);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &t[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_getspecific(key) == &key && pthread_getspecific(other) == NULL);
    return 0;
}
