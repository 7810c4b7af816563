/* A thread locks a mutex twice while another one reads inputs for ever. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reads(void *arg)
{
    int y;

    while (1)
        y = __VERIFIER_nondet_bool();
    return arg;
}

static void *locks(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, reads, 0);
    pthread_create(&t[1], 0, locks, 0);
    return 0;
}
