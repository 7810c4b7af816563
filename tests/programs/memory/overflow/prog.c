/* Two increments bring a signed counter over its limit, one does not. */
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static TYPE counter = START;

static void *run(void *arg)
{
    (void)arg;
    counter++;
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
