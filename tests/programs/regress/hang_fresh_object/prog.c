/* A thread polls for a flag that stays 0, and replaces an object by another one in each round. */
#include <pthread.h>
#include <stdlib.h>

static int flag;
static int *scratch;

static void *polls(void *arg)
{
    scratch = malloc(sizeof *scratch);
    *scratch = 5;
    while (!flag) {
        free(scratch);
        scratch = malloc(sizeof *scratch);
        *scratch = 5;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, polls, 0);
    flag = 0;
    pthread_join(t, 0);
    free(scratch);
    return 0;
}
