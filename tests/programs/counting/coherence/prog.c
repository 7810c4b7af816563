/* One store, and a thread that loads twice. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

static void *reader(void *arg)
{
    int a = x;
    int b = x;

    (void)arg;
    return (void *)(long)(a + 2 * b);
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    void *seen;
    pthread_join(t[0], NULL);
    pthread_join(t[1], &seen);
    return (int)(long)seen;
}
