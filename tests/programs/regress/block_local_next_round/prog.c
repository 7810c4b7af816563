/* The address that a round leaves behind is used in the next one, before the local begins again. */
#include <assert.h>
#include <pthread.h>

static int *last;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        if (last)
            assert(*last >= 0);
        int here[2] = {i, i};
        last = here;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
