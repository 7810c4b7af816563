/* Packed structures have no padding and may hold unaligned members. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct natural { char a; int b; short c; long d; char e; };
struct __attribute__((packed)) packed { char a; int b; short c; long d; char e; };
struct __attribute__((packed)) outer { char lead; struct packed body; uint16_t crc; };

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct natural), sizeof(struct packed), sizeof(struct outer));
    printf("%zu %zu %zu %zu\n", offsetof(struct packed, b), offsetof(struct packed, c),
           offsetof(struct packed, d), offsetof(struct packed, e));
    struct packed p = { 'a', -123456, 321, -9876543210L, 'e' };
    printf("%c %d %d %ld %c\n", p.a, p.b, p.c, p.d, p.e);
    p.b += 123500;
    p.d *= 2;
    struct packed arr[3];
    for (int i = 0; i < 3; i++) {
        arr[i] = p;
        arr[i].b *= i + 1;
    }
    printf("%d %d %ld\n", arr[1].b, arr[2].b, arr[2].d);
    struct outer o = { 'L', arr[2], 0xbeef };
    o.body.c = (short)(o.body.c - 400);
    printf("%d %d %x\n", o.body.b, o.body.c, o.crc);
    return arr[1].b;
}
