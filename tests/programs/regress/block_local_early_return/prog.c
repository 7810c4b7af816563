/* The address outlives the block on one of two ways out of it. */
#include <assert.h>
#include <pthread.h>

static int *kept;
static int flag;

static int use(void)
{
    {
        int x = 1;
        kept = &x;
        if (flag)
            return *kept;
    }
    return *kept;
}

static void *work(void *arg)
{
    assert(use() == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
