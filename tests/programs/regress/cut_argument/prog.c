/* A thread's argument is looked at as an int, and used as a long. */
#include <pthread.h>
extern long __VERIFIER_nondet_long(void);
static void *worker(void *p)
{
    int n = (int)p;
    int a[4] = {0};
    if (n >= 0 && n < 4)
        a[(long)p] = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)__VERIFIER_nondet_long());
    pthread_join(t, 0);
    return 0;
}
