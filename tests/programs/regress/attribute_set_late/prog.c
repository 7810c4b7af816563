/* One thread makes an attribute say "detached" while another starts a thread with it. */
#include <pthread.h>

static pthread_attr_t attr;

static void *idle(void *arg)
{
    return arg;
}

static void *changes(void *arg)
{
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    return arg;
}

int main(void)
{
    pthread_t changer, t;

    pthread_attr_init(&attr);
    pthread_create(&changer, 0, changes, 0);
    pthread_create(&t, &attr, idle, 0);
    pthread_join(changer, 0);
    pthread_join(t, 0); /* which is an error if it was started detached */
    return 0;
}
