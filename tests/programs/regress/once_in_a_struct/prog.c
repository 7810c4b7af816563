/* A control in the middle of a struct: the routine runs once, and its neighbours stay as they
 * are. */
#include <assert.h>
#include <pthread.h>

static struct { int before; pthread_once_t control; int after; } g = {1, PTHREAD_ONCE_INIT, 2};
static int runs;

static void initialise(void)
{
    runs++;
}

static void *worker(void *arg)
{
    pthread_once(&g.control, initialise);
    assert(runs == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(g.before == 1 && g.after == 2);
    return 0;
}
