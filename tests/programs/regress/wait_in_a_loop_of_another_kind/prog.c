/* The wait stands in a loop, but the loop is one over items: between the wait and the use of the
 * item nobody tests again. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *produces(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, produces, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        if (items == 0)
            pthread_cond_wait(&c, &m);
        items--;
        assert(items >= 0);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
