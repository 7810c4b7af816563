/* Two threads print into the same memory under a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *prints(void *arg)
{
    pthread_mutex_lock(&m);
    snprintf(text + strlen(text), 4, "%d", 12);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, prints, 0);
    prints(0);
    pthread_join(t, 0);
    assert(strcmp(text, "1212") == 0);
    return 0;
}
