/* A thread cannot start with a function that takes a double. */
#include <pthread.h>

static void *compares(double d)
{
    return d > 1 ? 0 : (void *)1;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, (void *(*)(void *))compares, &t);
    pthread_join(t, 0);
    return 0;
}
