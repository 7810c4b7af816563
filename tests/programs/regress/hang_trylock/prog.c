/* Each of two threads takes a lock, tries the other's, gives its own back and goes round: in step,
 * neither ever gets both. */
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *takes_both(void *arg)
{
    int mine = (int)(long)arg;

    for (;;) {
        pthread_mutex_lock(&m[mine]);
        if (pthread_mutex_trylock(&m[1 - mine]) == 0)
            break;
        pthread_mutex_unlock(&m[mine]);
    }
    pthread_mutex_unlock(&m[1 - mine]);
    pthread_mutex_unlock(&m[mine]);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, takes_both, (void *)1);
    takes_both((void *)0);
    pthread_join(t, 0);
    return 0;
}
