/* The destructor of a key passes on by value what the key leads to, which main writes. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;
static pthread_key_t key;

static void take(struct big s)
{
    assert(s.a == s.c);
}

static void destructor(void *value)
{
    take(*(struct big *)value);
}

static void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, destructor);
    pthread_create(&t, 0, worker, &g);
    g.a = 1;
    g.c = 1;
    pthread_join(t, 0);
    return 0;
}
