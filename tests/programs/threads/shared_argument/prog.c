/* All threads are given the address of one loop variable: it may have moved on. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int seen[3];

static void *run(void *arg)
{
    seen[*(int *)arg] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int i;

    for (i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &i);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(seen[0] && seen[1]);
    return 0;
}
