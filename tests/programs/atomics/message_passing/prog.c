/* Message passing: who sees the flag sees the data. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void *sender(void *arg)
{
    (void)arg;
#ifdef SWAPPED
    flag = 1;
    data = 42;
#else
    data = 42;
    flag = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, sender, NULL);
    if (flag)
        assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
