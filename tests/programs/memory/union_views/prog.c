/* Two members of a union are the same bytes. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static union {
    unsigned char bytes[4];
    unsigned word;
} shared;

static void *run(void *arg)
{
    (void)arg;
    shared.bytes[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
#ifdef OTHER_BYTE
    shared.bytes[0] = 2;
#else
    shared.word = 2;
#endif
    pthread_join(t, NULL);
    assert(shared.word == 0x102);
    return 0;
}
