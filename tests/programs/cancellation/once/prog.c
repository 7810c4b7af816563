/* Who is cancelled in a once routine has not called it: the next one does. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int begun, done;

static void routine(void)
{
    begun++;
    usleep(1);
    done++;
}

static void *work(void *unused)
{
    pthread_once(&control, routine);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_once(&control, routine);
    assert(done == 1);
#ifdef AT_ONCE
    assert(begun == 1);
#endif
    return 0;
}
