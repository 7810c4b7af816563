/* Producer and consumer pass a counter up and down for ever; nobody tells them to stop. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, stop;

static void *produce(void *arg)
{
    while (!stop) {
        pthread_mutex_lock(&m);
        if (count < 2)
            count++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *consume(void *arg)
{
    while (!stop) {
        pthread_mutex_lock(&m);
        if (count > 0)
            count--;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
