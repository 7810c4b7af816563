/* A lock and what it protects are made, used and freed in each round. */
#include <pthread.h>
#include <stdlib.h>

struct guarded {
    int value;
    pthread_mutex_t m;
};

static _Atomic int flag;

static void *polls(void *arg)
{
    while (!flag) {
        struct guarded *g = calloc(1, sizeof *g);

        pthread_mutex_lock(&g->m);
        g->value = 1;
        pthread_mutex_unlock(&g->m);
        free(g);
    }
    return arg;
}

static void *looks(void *arg)
{
    if (flag == 5)
        flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, 0, polls, 0);
    pthread_create(&u, 0, looks, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
