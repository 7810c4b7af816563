/* Two threads take a slot of the same array; the test and the use are apart. */
#include <pthread.h>
#include <stddef.h>

#define SLOTS 1

static int slots[SLOTS], next;

static void *run(void *arg)
{
    (void)arg;
    if (next < SLOTS) {
        slots[next] = 1;
        next++;
    }
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
