/* An endless loop that nobody can see, while another thread makes an error or not. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    for (;;)
        ;
    return NULL;
}

static void *set(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, run, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    assert(x == 0 || !WRONG);
    pthread_join(t[1], NULL);
    pthread_join(t[0], NULL);
    return 0;
}
