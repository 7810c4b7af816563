/* A struct is passed by value under the lock that its writer takes: right, and the lock is
 * needed. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void take(struct big s)
{
    assert(s.a == s.c);
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    take(g);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reader, 0);
    pthread_mutex_lock(&m);
    g.a = 1;
    g.c = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
