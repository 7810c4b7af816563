/* %n stores where another thread reads. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int count;

static void *prints(void *arg)
{
    char text[8];

    snprintf(text, sizeof text, "abc%n", &count);
    return arg;
}

int main(void)
{
    pthread_t t;
    int once, again;

    pthread_create(&t, 0, prints, 0);
    once = count;
    again = count;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
