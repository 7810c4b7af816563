/* A loop that counts through all values of a byte comes back to where it was. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic unsigned char counter;

static void *run(void *arg)
{
    (void)arg;
    for (;;)
        counter++;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    for (;;)
        assert(counter <= MOST);
    return 0;
}
