/* The same under a lock, with more functions of <string.h>. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *appends(void *arg)
{
    char *copy;

    pthread_mutex_lock(&m);
    strcat(text, "a");
    copy = strdup(text);
    pthread_mutex_unlock(&m);
    assert(copy[0] == 'a' && strlen(copy) <= 2);
    free(copy);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, appends, 0);
    appends(0);
    pthread_join(t, 0);
    assert(memcmp(text, "aa", 3) == 0 && memchr(text, 'b', 4) == 0);
    return 0;
}
