/* Atomics of 1, 2, 4, 8 and 16 bytes: no addition is lost, no value is torn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char a;
static _Atomic short b;
static _Atomic long c;
static _Atomic __int128 d;

static void *adds(void *arg)
{
    __int128 high = (__int128)1 << 64;

    a += 200;
    b++;
    c--;
    d += high + 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    __int128 sum;

    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    sum = d;
    assert(a == 144 && b == 2 && c == -2);
    assert((long)sum == 2 && (long)(sum >> 64) == 2);
    return 0;
}
