/* A wake-up is lost, while a third thread looks at a variable for ever: no deadlock, but a hang. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready, load;

static void *wait_for_it(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *watch(void *arg)
{
    for (;;)
        if (load > 5)
            return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, wait_for_it, 0);
    pthread_create(&b, 0, watch, 0);
    ready = 1;
    load = 1;
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    load = 9;
    pthread_join(b, 0);
    return 0;
}
