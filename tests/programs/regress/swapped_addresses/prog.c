/* Structs are copied from and to addresses that were swapped without a third variable. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

static struct triple { int x, y, z; } a = {1, 2, 3}, b = {4, 5, 6};

int main(void)
{
    uintptr_t p = (uintptr_t)&a, q = (uintptr_t)&b;
    p ^= q;
    q ^= p;
    p ^= q;
    struct triple copy = *(struct triple *)p;
    assert(copy.x == 4);
    memcpy((void *)q, (void *)p, sizeof copy);
    assert(a.z == 6);
    assert(!memcmp((void *)p, (void *)q, sizeof copy));
}
