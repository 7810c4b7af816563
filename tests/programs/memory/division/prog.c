/* A divisor that is zero for a moment. */
#include <pthread.h>
#include <stddef.h>

static int divisor = 1;

static void *run(void *arg)
{
    (void)arg;
    divisor--;
    divisor++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int result;

    pthread_create(&t, NULL, run, NULL);
    result = 10 OPERATOR divisor;
    pthread_join(t, NULL);
    return result;
}
