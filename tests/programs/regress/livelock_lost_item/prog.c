/* An unlocked counter loses an item; the consumer goes round for it for ever. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *produce(void *arg)
{
    count++;
    return arg;
}

static void *consume(void *arg)
{
    for (int got = 0; got < 2;) {
        pthread_mutex_lock(&m);
        if (count > 0) {
            count--;
            got++;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], 0, produce, 0);
    pthread_create(&t[1], 0, produce, 0);
    pthread_create(&t[2], 0, consume, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
