/* Two threads append to one string without a lock: one letter replaces the other. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[4];

static void *appends(void *arg)
{
    strcat(text, "a");
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, appends, 0);
    strcat(text, "b");
    pthread_join(t, 0);
    assert(strlen(text) == 2);
    return 0;
}
