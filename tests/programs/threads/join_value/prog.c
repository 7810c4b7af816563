/* The value a thread returns reaches the one who joins it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *answer(void *arg)
{
    return (char *)arg + 2;
}

int main(void)
{
    pthread_t t;
    void *value = NULL;

    pthread_create(&t, NULL, answer, (void *)40);
    assert(pthread_join(t, &value) == 0);
    assert(value == (void *)42);
    return 0;
}
