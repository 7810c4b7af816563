/* One thread writes into a block while another makes it larger: the block may have moved. */
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *writer(void *arg)
{
    block[0] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    block = calloc(2, sizeof *block);
    pthread_create(&t, 0, writer, 0);
    block = realloc(block, 64 * sizeof *block);
    pthread_join(t, 0);
    free(block);
    return 0;
}
