/* Threads that call functions through a table, and through an argument. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int add(int n)
{
    pthread_mutex_lock(&m);
    x += n;
    pthread_mutex_unlock(&m);
    return n;
}

static int twice(int n)
{
    return add(n) + add(n);
}

static int (*const table[])(int) = {add, twice};

static int apply(int (*f)(int), int n)
{
    return f(n);
}

static void *run(void *arg)
{
    int got = 0;
    for (int i = 0; i < 2; i++)
        got += table[i](1);
    got += apply(arg == NULL ? add : twice, 2);
    pthread_mutex_lock(&m);
    y += got;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, &x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == y && x == 12);
    return 0;
}
