/* What the memory of a mutex holds is an input. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static union { pthread_mutex_t mutex; int words[10]; } u;

static void *worker(void *arg)
{
    pthread_mutex_unlock(&u.mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    u.words[0] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
