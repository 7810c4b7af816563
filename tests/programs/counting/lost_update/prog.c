/* N increments made of a load and a store. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
