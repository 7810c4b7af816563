/* Neighbouring bytes, also beside a bit-field, are memory locations of their own. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    char a, b;
    unsigned field : 24;
    char c;
} shared;

static void *run(void *arg)
{
    (void)arg;
    shared.a = 1;
    shared.field = 0xabcdef;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    shared.b = 2;
    shared.c = 3;
    pthread_join(t, NULL);
    assert(shared.a == 1 && shared.b == 2 && shared.c == 3);
    assert(shared.field == 0xabcdef);
    return 0;
}
