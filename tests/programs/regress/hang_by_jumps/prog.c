/* A loop that longjmp closes. */
#include <pthread.h>
#include <setjmp.h>

static _Atomic int flag;

static void *polls(void *arg)
{
    jmp_buf again;

    setjmp(again);
    if (!flag)
        longjmp(again, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, polls, 0);
    pthread_join(t, 0);
    return 0;
}
