/* pthread_create reads the attributes that another thread initialises again. */
#include <pthread.h>

static pthread_attr_t attr;

static void *idle(void *arg)
{
    return arg;
}

static void *changes(void *arg)
{
    pthread_attr_init(&attr);
    return arg;
}

int main(void)
{
    pthread_t changer, t;

    pthread_attr_init(&attr);
    pthread_create(&changer, 0, changes, 0);
    pthread_create(&t, &attr, idle, 0);
    pthread_join(changer, 0);
    pthread_join(t, 0);
    return 0;
}
