/* Waiting in a loop is safe without a bound, and unknown with one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *run(void *arg)
{
    (void)arg;
    data = 1;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    while (!flag)
        ;
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
