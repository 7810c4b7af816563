/* A mutex can be destroyed when it is free, and initialised again. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int main(void)
{
    pthread_mutex_t m;

    for (int i = 0; i < 2; i++) {
        assert(pthread_mutex_init(&m, NULL) == 0);
        assert(pthread_mutex_lock(&m) == 0);
        assert(pthread_mutex_unlock(&m) == 0);
        assert(pthread_mutex_destroy(&m) == 0);
    }
    return 0;
}
