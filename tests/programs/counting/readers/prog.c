/* One thread stores, two load. */
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
    int seen = x;

    (void)arg;
    (void)seen;
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
