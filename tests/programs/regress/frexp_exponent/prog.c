/* frexp stores the exponent where another thread reads. */
#include <assert.h>
#include <math.h>
#include <pthread.h>

static int exponent;
static volatile double number = 8.0;

static void *splits(void *arg)
{
    frexp(number, &exponent);
    return arg;
}

int main(void)
{
    pthread_t t;
    int once, again;

    pthread_create(&t, 0, splits, 0);
    once = exponent;
    again = exponent;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
