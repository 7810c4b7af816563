/* The C library's headers make __sysv_signal of signal here; its other names mean the same. */
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <signal.h>

typedef void handler(int);
handler *bsd_signal(int number, handler *given);
handler *sysv_signal(int number, handler *given);
handler *ssignal(int number, handler *given);

static void on_signal(int number)
{
    (void)number;
}

static void cut_short(int number)
{
    (void)number;
}

static void *work(void *unused)
{
    signal(SIGINT, cut_short);
    return unused;
}

int main(void)
{
    pthread_t other;

    signal(SIGINT, on_signal);
    assert(sysv_signal(SIGINT, SIG_IGN) == on_signal);
    assert(bsd_signal(SIGINT, on_signal) == SIG_IGN);
    assert(ssignal(SIGINT, SIG_DFL) == on_signal);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
    pthread_create(&other, NULL, work, NULL);
#ifdef EARLY
    assert(signal(SIGINT, SIG_IGN) == SIG_DFL);
#endif
    pthread_join(other, NULL);
#ifndef EARLY
    assert(signal(SIGINT, SIG_IGN) == cut_short);
#endif
    return 0;
}
