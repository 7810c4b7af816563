/* Different cells of an array do not race, the same cell does. */
#include <pthread.h>
#include <stddef.h>

static char cells[4];

static void *run(void *arg)
{
    cells[(long)arg]++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, run, (void *)1);
    pthread_create(&t[1], NULL, run, (void *)SECOND);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
