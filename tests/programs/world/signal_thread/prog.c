/* One thread waits for signals, which all others block. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static sigset_t set;
static atomic_int stop;

static void *waiter(void *unused)
{
    int number = 0;

    while (sigwait(&set, &number) == 0) {
        assert(number == SIGINT || number == SIGTERM);
        if (number == SIGTERM)
            break;
    }
    stop = 1;
    return unused;
}

static void *worker(void *unused)
{
    while (!stop)
        ;
    return unused;
}

int main(void)
{
    pthread_t first, second;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    assert(sigismember(&set, SIGINT) == 1 && sigismember(&set, SIGHUP) == 0);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(stop == 1);
    return 0;
}
