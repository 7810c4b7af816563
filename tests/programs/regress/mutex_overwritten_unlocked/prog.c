/* The memory of a mutex is overwritten before it is given back: what is in it is no thread. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    memset(&m, 0x7f, sizeof(int));
    pthread_mutex_unlock(&m);
    return 0;
}
