/* A thread that is detached is nobody's to wait for: it may be gone, and its handle another's. */
#include <pthread.h>

static void *run(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, run, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    return 0;
}
