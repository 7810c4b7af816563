/* An address is kept in two halves, and freed when it has been put together again. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static struct { uint32_t high, low; } kept;

int main(void)
{
    int *p = malloc(8);
    kept.high = (uintptr_t)p >> 32;
    kept.low = (uintptr_t)p;
    int *q = (int *)((uint64_t)kept.high << 32 | kept.low);
    assert(p == q);
    q[1] = 4;
    assert(p[1] == 4);
    free(q);
}
