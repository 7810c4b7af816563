/* A thread starts another one; who joins the child may rely on the grandchild. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *inner(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static void *outer(void *arg)
{
    pthread_t t;

    pthread_create(&t, NULL, inner, arg);
#ifndef FORGET
    pthread_join(t, NULL);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, outer, &x);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
