/* Threads that never end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static unsigned char rounds;

static void *run(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&m);
        assert(inside == 0);
        inside = 1;
        rounds = (rounds + 1) % 4;
        inside = 0;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    return 0;
}
