/* realloc reads what it moves, and another thread has just written it: a race of its own. */
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *writer(void *arg)
{
    block[1] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int *larger;

    block = calloc(2, sizeof *block);
    pthread_create(&t, 0, writer, 0);
    larger = realloc(block, 64 * sizeof *block);
    pthread_join(t, 0);
    free(larger);
    return 0;
}
