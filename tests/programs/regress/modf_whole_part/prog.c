/* modf stores the whole part where another thread writes: a race, and only the call makes it. */
#include <math.h>
#include <pthread.h>

static double whole;
static volatile double number = 2.5;

static void *splits(void *arg)
{
    modf(number, &whole);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, splits, 0);
    whole = 0.0;
    pthread_join(t, 0);
    return 0;
}
