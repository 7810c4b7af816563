/* Two endless threads narrow an interval from both ends to inputs that lie inside it: low < high
   stays true, a relation between two variables. -DBROKEN tests before it takes the mutex. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#ifdef BROKEN
#define BEFORE(test) int inside = (test); pthread_mutex_lock(&m)
#else
#define BEFORE(test) pthread_mutex_lock(&m); int inside = (test)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static void *lift(void *arg)
{
    (void)arg;
    while (1) {
        int input = __VERIFIER_nondet_int();

        BEFORE(low < input && input < high);
        if (inside)
            low = input;
        assert(low < high);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *lower(void *arg)
{
    (void)arg;
    while (1) {
        int input = __VERIFIER_nondet_int();

        BEFORE(low < input && input < high);
        if (inside)
            high = input;
        assert(low < high);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    low = __VERIFIER_nondet_int();
    high = __VERIFIER_nondet_int();
    __VERIFIER_assume(low < high);
    pthread_create(&t1, NULL, lift, NULL);
    pthread_create(&t2, NULL, lower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
