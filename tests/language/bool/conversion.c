/* Conversion of every scalar kind to _Bool. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static bool from_int(int x) { return x; }
static bool from_double(double x) { return x; }
static bool from_pointer(const void *p) { return p; }

int main(void)
{
    int object = 0;
    double quarter = 0.25;
    _Bool a = 256, b = quarter, c = 'x', d = 0.0;
    printf("%d %d %d %d\n", a, b, c, d);
    printf("%d %d %d\n", from_int(0), from_int(-4), from_int(0x10000));
    printf("%d %d %d\n", from_double(0.0), from_double(-0.0), from_double(1e-300));
    printf("%d %d\n", from_pointer(NULL), from_pointer(&object));
    printf("%d\n", (bool)0x100000000LL);
    printf("%zu\n", sizeof(bool));
    unsigned char narrow = (unsigned char)256;
    bool e = narrow;
    return (a << 4) | (b << 3) | (c << 2) | (d << 1) | e;
}
