/* Neighbouring bit-fields are one memory location: an update of one may undo that of the other. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned a : 4;
#ifdef APART
    unsigned : 0;
#endif
    unsigned b : 4;
} shared;

static void *run(void *arg)
{
    (void)arg;
    shared.a = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    shared.b = 2;
    pthread_join(t, NULL);
    assert(shared.a == 1 && shared.b == 2);
    return 0;
}
