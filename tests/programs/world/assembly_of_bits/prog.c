/* Bits of a shared mask are found with inline assembly; what bsf says of zero is undefined. */
#include <assert.h>
#include <pthread.h>

static unsigned mask = 6, taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned lowest(unsigned bits)
{
    unsigned found = 0;
#ifdef COUNT
    __asm__("tzcntl %1, %0" : "=r"(found) : "r"(bits));
#else
    __asm__("bsfl %1, %0" : "+r"(found) : "r"(bits) : "cc");
#endif
    return found;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifndef UNTESTED
    if (mask)
#endif
    {
        unsigned bit = lowest(mask);

#ifdef COUNT
        if (bit < 32)
#endif
        {
            taken |= 1u << bit;
            mask &= mask - 1;
        }
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t others[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&others[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], 0);
    assert(taken == 6 && mask == 0);
    return 0;
}
