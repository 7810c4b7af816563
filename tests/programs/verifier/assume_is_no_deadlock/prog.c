/* Who waits for a thread that failed an assumption is not in a deadlock. */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
#ifdef ATOMIC
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1);
    __VERIFIER_atomic_end();
#else
    __VERIFIER_assume(x == 1);
#endif
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
