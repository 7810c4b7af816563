/* modf stores under a lock, and its result is read under the same one. */
#include <assert.h>
#include <math.h>
#include <pthread.h>

static double whole;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *splits(void *arg)
{
    pthread_mutex_lock(&m);
    modf(2.5, &whole);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    double once, again;

    pthread_create(&t, 0, splits, 0);
    pthread_mutex_lock(&m);
    once = whole;
    again = whole;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(once == again && whole == 2.0);
    return 0;
}
