/* Masks are data: a thread gets back what it has set. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>

int main(void)
{
    sigset_t some, all, before;

    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    assert(pthread_sigmask(SIG_SETMASK, &some, NULL) == 0);
    sigfillset(&all);
    sigdelset(&all, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &all, &before) == 0);
    assert(sigismember(&before, SIGUSR1) == 1 && sigismember(&before, SIGINT) == 0);
    sigprocmask(SIG_UNBLOCK, &some, &before);
    assert(sigismember(&before, SIGINT) == 1 && sigismember(&before, SIGUSR2) == 0);
    sigprocmask(SIG_BLOCK, NULL, &before);
    assert(sigismember(&before, SIGUSR1) == 0 && sigismember(&before, SIGINT) == 1);
    assert(sigismember(&before, 99) == -1);
    assert(pthread_sigmask(99, &some, NULL) != 0);
    return 0;
}
