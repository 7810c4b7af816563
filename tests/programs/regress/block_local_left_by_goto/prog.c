/* A jump backwards ends the block's local and begins it again; one that is joined in time is right. */
#include <assert.h>
#include <pthread.h>

static void *add(void *arg)
{
    ++*(int *)arg;
    return 0;
}

int main(void)
{
    int rounds = 0;
again:
    {
        int sum = rounds;
        pthread_t t;
        pthread_create(&t, 0, add, &sum);
        if (pthread_join(t, 0) == 0 && ++rounds < 3)
            goto again;
        assert(sum == 3);
    }
    return 0;
}
