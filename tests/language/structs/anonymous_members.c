/* Anonymous structure and union members. */
#include <stdint.h>
#include <stdio.h>

struct value {
    enum { INT, PAIR, BYTES } kind;
    union {
        int64_t number;
        struct { int32_t first, second; };
        uint8_t bytes[8];
    };
    struct { char tag; };
};

int main(void)
{
    struct value v = { .kind = INT, .number = 0x1122334455667788, .tag = 't' };
    printf("%x %x\n", (unsigned)v.first, (unsigned)v.second);
    v.second = -1;
    printf("%llx\n", (unsigned long long)v.number);
    v.kind = BYTES;
    v.bytes[0] = 0;
    v.bytes[7] = 0x7f;
    printf("%llx %c\n", (unsigned long long)v.number, v.tag);
    v.kind = PAIR;
    v.first = v.second = 5;
    for (int i = 0; i < 8; i++)
        printf("%d", v.bytes[i]);
    putchar('\n');
    printf("%zu\n", sizeof v);
    return v.kind * 10 + v.bytes[4];
}
