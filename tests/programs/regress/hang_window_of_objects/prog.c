/* The oldest of two objects is freed and a new one is made: they take each other's places. */
#include <pthread.h>
#include <stdlib.h>

static int flag;

static int *made(void)
{
    return malloc(sizeof(int));
}

static void *polls(void *arg)
{
    int *older = made(), *newer = made();

    while (!flag) {
        free(older);
        older = newer;
        newer = made();
    }
    free(older);
    free(newer);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, polls, 0);
    flag = 0;
    pthread_join(t, 0);
    return 0;
}
