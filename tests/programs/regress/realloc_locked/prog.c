/* A vector that grows under a lock keeps what was written into it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *block;
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg)
{
    pthread_mutex_lock(&m);
    block = realloc(block, (count + 1) * sizeof *block);
    block[count++] = 7;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, append, 0);
    append(0);
    pthread_join(t, 0);
    assert(count == 2 && block[0] == 7 && block[1] == 7);
    free(block);
    return 0;
}
