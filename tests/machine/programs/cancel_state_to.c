// The state before is stored where the argument says.
#include <pthread.h>
#include <stdio.h>

static int old = 7;

static void *first(void *arg)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    printf("%ld\n", (long)old);
    return 0;
}
