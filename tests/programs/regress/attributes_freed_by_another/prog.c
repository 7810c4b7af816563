/* Another thread may free the attributes before they are written. */
#include <pthread.h>
#include <stdlib.h>

static pthread_condattr_t *attributes;

static void *run(void *arg)
{
    free(attributes);
    return arg;
}

int main(void)
{
    pthread_t t;
    attributes = malloc(sizeof *attributes);
    pthread_create(&t, 0, run, 0);
    pthread_condattr_init(attributes);
    pthread_join(t, 0);
    return 0;
}
