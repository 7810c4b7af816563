/* The thread that spins counts its rounds in a local variable: it goes round without effect all the
 * same. */
#include <pthread.h>

static volatile int flag;

static void *reads(void *arg)
{
    unsigned char rounds = 0;

    while (!flag)
        rounds++;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reads, 0);
    pthread_join(t, 0);
    return 0;
}
