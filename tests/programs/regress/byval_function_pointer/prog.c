/* By value through a function pointer out of a table. */
#include <assert.h>
#include <pthread.h>

struct big { int v[8]; };
static struct big g;

static void ignore(struct big s)
{
}

static void compare(struct big s)
{
    assert(s.v[0] == s.v[7]);
}

static void (*table[2])(struct big) = {ignore, compare};

static void *writer(void *arg)
{
    g.v[0] = 1;
    g.v[7] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    for (int i = 0; i < 2; i++)
        table[i](g);
    pthread_join(t, 0);
    return 0;
}
