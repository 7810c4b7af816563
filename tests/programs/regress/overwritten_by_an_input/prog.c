#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
unsigned __VERIFIER_nondet_uint(void);

static void *worker(void *argument)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    *(unsigned *)&m = __VERIFIER_nondet_uint() % 8; /* the owner is a term */
    pthread_mutex_unlock(&m);
    return 0;
}
