/* At the end of a thread its thread-specific values go to the destructor of their key, unless
   they are NULL. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int destroyed, called;

static void destroy(void *value)
{
    called++;
    *(int *)value = 1;
}

static void *run(void *arg)
{
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void)
{
    pthread_t with, without;

    pthread_key_create(&key, destroy);
    pthread_create(&with, NULL, run, &destroyed);
    pthread_join(with, NULL);
    pthread_create(&without, NULL, run, NULL);
    pthread_join(without, NULL);
    assert(destroyed == 1);
    assert(called == 1);
    return 0;
}
