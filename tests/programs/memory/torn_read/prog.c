/* A reader copies a structure between the two stores that fill it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct pair {
    WORD a, b;
} shared;

static void *run(void *arg)
{
    (void)arg;
    shared.b = 1;
    shared.a = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pair copy;

    pthread_create(&t, NULL, run, NULL);
    memcpy(&copy, &shared, sizeof copy);
    assert(!(copy.a == 0 && copy.b == 1));
    pthread_join(t, NULL);
    return 0;
}
