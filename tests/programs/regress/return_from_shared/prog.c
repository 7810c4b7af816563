/* A getter returns a shared struct: the lock is given back before the copy is made. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct big get(void)
{
    struct big *p;

    pthread_mutex_lock(&m);
    p = &g;
    pthread_mutex_unlock(&m);
    return *p;
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    g.a = 1;
    g.c = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct big s;

    pthread_create(&t, 0, writer, 0);
    s = get();
    pthread_join(t, 0);
    assert(s.a == s.c);
    return 0;
}
