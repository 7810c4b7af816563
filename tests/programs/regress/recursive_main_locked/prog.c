/* The same with a lock: right. */
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    pthread_create(&t, 0, adds, 0);
    if (argc == 1)
        main(2, argv);
    pthread_join(t, 0);
    if (argc == 1)
        assert(x == 2);
    return 0;
}
