/* A server that reads for ever waits for the environment, and does not hang; the other thread ends. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int requests;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    char request;

    while (read(0, &request, 1) > 0) {
        pthread_mutex_lock(&mutex);
        if (requests < 2)
            requests++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t server;

    pthread_create(&server, NULL, serve, NULL);
    pthread_join(server, NULL);
    assert(requests <= 2);
    return 0;
}
