/* What a program does to itself by a signal: nothing, or its end. */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static void handler(int number)
{
    (void)number;
}

int main(void)
{
#ifdef HANDLED
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
#endif
    signal(SIGUSR1, SIG_IGN);
    assert(raise(SIGUSR1) == 0 && raise(0) == 0 && raise(99) == -1);
    raise(SIGCHLD);
#ifdef ABORTED
    raise(SIGABRT);
#endif
    kill(getpid(), SIGTERM);
    assert(0);
}
