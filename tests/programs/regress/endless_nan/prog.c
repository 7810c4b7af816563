/* A thread computes what is not a number for ever: it comes round, although that equals nothing. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double result;
static atomic_int stop;

static void *compute(void *unused)
{
    double n = 0;
    while (!stop) {
        n = n / 0.0 * 0;
        result = n;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
}
