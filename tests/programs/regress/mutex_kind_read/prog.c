/* pthread_mutexattr_gettype stores its answer where another thread reads. */
#include <assert.h>
#include <pthread.h>

static pthread_mutexattr_t attr;
static int answer = -1;

static void *asks(void *arg)
{
    pthread_mutexattr_gettype(&attr, &answer);
    return arg;
}

int main(void)
{
    pthread_t t;
    int once, again;

    pthread_mutexattr_init(&attr);
    pthread_create(&t, 0, asks, 0);
    once = answer;
    again = answer;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
