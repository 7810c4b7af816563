/* Servers go on for ever: loops without an exit, which take locks and put back what they change. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *serve(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&m);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&m);
    }
}

static void *idle(void *arg)
{
    (void)arg;
    for (;;)
        ;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], 0, serve, 0);
    pthread_create(&t[1], 0, serve, 0);
    pthread_create(&t[2], 0, idle, 0);
    pthread_join(t[0], 0);
    return 0;
}
