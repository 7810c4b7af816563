/* Threads look at the same bytes in several widths: a word, its halves, its bytes. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

typedef union { uint64_t whole; uint32_t half[2]; uint16_t quarter[4]; uint8_t byte[8]; } cell;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cell shared;
static cell *made;

static void *narrow(void *unused)
{
    pthread_mutex_lock(&lock);
    shared.byte[7] += 1;
    shared.quarter[1] += 1;
    made->half[1] = 0xffffffff;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    shared.whole = 0x8000000000000000;
    made = calloc(1, sizeof *made);
    pthread_create(&one, 0, narrow, 0);
    pthread_create(&two, 0, narrow, 0);
    pthread_mutex_lock(&lock);
    made->byte[4] = 7;
    uint64_t seen = shared.whole;
    pthread_mutex_unlock(&lock);
    assert(seen == 0x8000000000000000 || seen == 0x8100000000010000 || seen == 0x8200000000020000);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(shared.half[0] == 0x00020000 && shared.half[1] == 0x82000000);
    assert(made->whole == 0xffffffff00000000 || made->whole == 0xffffff0700000000);
    free(made);
}
