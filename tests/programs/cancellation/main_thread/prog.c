/* The main thread is cancelled by another one, which goes on and ends the program. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *handle)
{
    void *result;

    pthread_cancel(*(pthread_t *)handle);
    pthread_join(*(pthread_t *)handle, &result);
    assert(result == PTHREAD_CANCELED);
    exit(0);
}

int main(void)
{
    static pthread_t self;
    pthread_t thread;

    self = pthread_self();
    pthread_create(&thread, NULL, work, &self);
    pthread_join(thread, NULL);
    assert(0);
}
