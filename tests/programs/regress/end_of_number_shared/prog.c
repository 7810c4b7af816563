/* strtol stores where the number ends, and another thread reads that. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char text[] = "1x";
static char *end = text;

static void *parses(void *arg)
{
    strtol(text, &end, 10);
    return arg;
}

int main(void)
{
    pthread_t t;
    char *once, *again;

    pthread_create(&t, 0, parses, 0);
    once = end;
    again = end;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
