/* Each thread has a mutex and a variable of its own. */
#include <pthread.h>
#include <stddef.h>

static struct {
    pthread_mutex_t lock;
    int value;
} slots[2];

static void *run(void *arg)
{
    long i = (long)arg;

    pthread_mutex_lock(&slots[i].lock);
    slots[i].value = 1;
    pthread_mutex_unlock(&slots[i].lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&slots[i].lock, NULL);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return slots[0].value + slots[1].value;
}
