/* A loop that runs as often as an input says: it always ends, however large that is. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int shared;

static void *works(void *arg)
{
    int n = __VERIFIER_nondet_int();
    int done = 0;

    while (done < n)
        done += 2;
    shared = done;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, works, 0);
    shared = 2;
    pthread_join(t, 0);
    return 0;
}
