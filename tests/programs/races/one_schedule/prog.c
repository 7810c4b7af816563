/* Only who came in a certain turn stores without the lock. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, x;

static void *run(void *arg)
{
    int mine;

    (void)arg;
    pthread_mutex_lock(&m);
    mine = turn++;
    x++;
    pthread_mutex_unlock(&m);
    if (mine == LIMIT)
        x = 0;
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
