/* A spin lock and a counter of inline assembly; the counter of the processor is an input. */
#include <assert.h>
#include <pthread.h>

static volatile int lock_word, count;
static int guarded;

static int exchange(volatile int *place, int value)
{
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*place) : : "memory");
    return value;
}

static void *work(void *unused)
{
#ifdef BROKEN
    while (lock_word)
        __asm__ __volatile__("pause");
    lock_word = 1;
#else
    while (exchange(&lock_word, 1))
        __asm__ __volatile__("pause");
#endif
    guarded++;
    __asm__ __volatile__("" : : : "memory");
    lock_word = 0;
    __asm__ __volatile__("lock; incl %0" : "+m"(count));
    return unused;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(guarded == 2 && count == 2);
#ifdef LUCKY
    unsigned low, high;

    __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
    assert(low != 1 || high != 2);
#endif
    return 0;
}
