/* A word is copied over bytes of which some have been looked at by themselves. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef union { uint64_t word[2]; uint16_t quarter[8]; uint8_t byte[16]; } cell;

static cell shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused)
{
    cell mine = {{5, 0}};
    pthread_mutex_lock(&lock);
    shared.quarter[2] ^= 160;
    memmove(&shared, &mine, 8);
    assert(shared.quarter[2] == 0 && shared.byte[0] == 5);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    shared.byte[0] = 1;
    pthread_create(&one, 0, change, 0);
    pthread_create(&two, 0, change, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(shared.word[0] == 5);
}
