/* As glibc has it: all keys once, in the order of their numbers, before any has a second turn. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second, third;
static int of_first, of_second, of_third;

static void destroy_first(void *value)
{
    of_first++;
    assert(of_second == (of_first > 1));
    pthread_setspecific(first, value);
}

static void destroy_second(void *value)
{
    assert(of_first == 1 && of_third == 0);
    of_second++;
}

static void destroy_third(void *value)
{
    assert(of_second == 1);
    of_third++;
    if (of_third == 1)
        pthread_setspecific(third, value);
}

static void *run(void *arg)
{
    pthread_setspecific(third, arg);
    pthread_setspecific(second, arg);
    pthread_setspecific(first, arg);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&first, destroy_first);
    pthread_key_create(&second, destroy_second);
    pthread_key_create(&third, destroy_third);
    pthread_create(&t, 0, run, &t);
    pthread_join(t, 0);
    assert(of_first == 4 && of_second == 1 && of_third == 2);
    return 0;
}
