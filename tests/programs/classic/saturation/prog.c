/* Endless threads add inputs to a sum that stops at MOST.
   -DBROKEN compares after the addition, which overflows for large inputs. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);

#define MOST 100

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int add(int a, int b)
{
#ifdef BROKEN
    return a + b > MOST ? MOST : a + b;
#else
    return b > MOST - a ? MOST : a + b;
#endif
}

static void *adder(void *arg)
{
    (void)arg;
    while (1) {
        int input = __VERIFIER_nondet_int();

        pthread_mutex_lock(&m);
        if (input > 0)
            sum = add(sum, input);
        assert(0 <= sum && sum <= MOST);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, adder, NULL);
    pthread_create(&t2, NULL, adder, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
