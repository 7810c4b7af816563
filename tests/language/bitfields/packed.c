/* Bit-fields of a packed structure straddle byte boundaries. */
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) header {
    unsigned version : 3;
    unsigned length : 13;
    unsigned id : 11;
    int delta : 13;
};

int main(void)
{
    struct header h;
    memset(&h, 0, sizeof h);
    printf("%zu\n", sizeof h);
    h.version = 5;
    h.length = 4097;
    h.id = 1234;
    h.delta = -777;
    printf("%u %u %u %d\n", h.version, h.length, h.id, h.delta);
    unsigned char b[sizeof h];
    memcpy(b, &h, sizeof h);
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof h; i++) {
        printf("%02x ", b[i]);
        sum += b[i];
    }
    putchar('\n');
    h.delta += 800;
    h.id -= 1235;
    printf("%u %d\n", h.id, h.delta);
    return (int)(sum % 120);
}
