/* A handler that is installed, and a way to ignore signals that may have been ignored before. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;
static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int number)
{
    stop = number;
}

static void *work(void *unused)
{
    for (int i = 0; i < 2 && !stop; i++) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal}, old;
    pthread_t other;

    if (signal(SIGINT, SIG_IGN) != SIG_IGN)
        assert(signal(SIGINT, on_signal) == SIG_IGN);
    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGTERM, &action, &old) == 0);
    assert(old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN);
    assert(sigaction(SIGTERM, &old, &action) == 0 && action.sa_handler == on_signal);
    assert(sigaction(SIGKILL, &action, NULL) == -1 && signal(SIGKILL, SIG_IGN) == SIG_ERR);
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(shared == 4);
    return 0;
}
