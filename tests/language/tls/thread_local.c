/* _Thread_local variables used from a single thread. */
#include <stdio.h>
#include <threads.h>

static _Thread_local int counter = 40;
thread_local long total;
_Thread_local struct { short a; char name[6]; } record = { -3, "local" };
static _Thread_local int table[4] = { 1, [3] = 9 };

static int bump(int by)
{
    static _Thread_local int calls;
    counter += by;
    total += counter;
    return ++calls;
}

int main(void)
{
    bump(1);
    bump(-5);
    int calls = bump(10);
    printf("%d %d %ld\n", calls, counter, total);
    record.a *= 2;
    record.name[0] = 'L';
    printf("%d %s\n", record.a, record.name);
    int *p = &table[1];
    *p++ = 5;
    *p = 6;
    printf("%d %d %d %d\n", table[0], table[1], table[2], table[3]);
    return counter + calls;
}
