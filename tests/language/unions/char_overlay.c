/* Bytes of integers accessed through a char array in a union. */
#include <stdint.h>
#include <stdio.h>

union overlay { uint32_t w; uint16_t h[2]; uint8_t b[4]; int8_t s[4]; };

static uint32_t swap_bytes(uint32_t x)
{
    union overlay a = { x }, r;
    for (int i = 0; i < 4; i++)
        r.b[i] = a.b[3 - i];
    return r.w;
}

int main(void)
{
    union overlay o = { .w = 0x8040c0ff };
    for (int i = 0; i < 4; i++)
        printf("%u %d\n", o.b[i], o.s[i]);
    printf("%x %x\n", o.h[0], o.h[1]);
    o.h[1]++;
    o.b[0] = 0;
    printf("%x\n", o.w);
    printf("%x\n", swap_bytes(0x12345678));
    union overlay arr[2] = { { 1 }, { .b = { 0, 1 } } };
    printf("%u %u\n", arr[0].w, arr[1].w);
    return (int)(swap_bytes(0x2a000000) + arr[0].b[0]);
}
