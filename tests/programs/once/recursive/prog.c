/* A routine that waits for itself never returns; with another control it does. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;
static int done;

static void inner(void)
{
    done = 1;
}

static void outer(void)
{
    pthread_once(&INNER, inner);
}

int main(void)
{
    pthread_once(&a, outer);
    assert(done);
    return 0;
}
