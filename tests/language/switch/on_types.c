/* Switching on char, unsigned char, enum, _Bool and unsigned long. */
#include <stdbool.h>
#include <stdio.h>

enum op { NOP, INC = 10, DEC = 20 };

static int on_char(char c)
{
    switch (c) {
    case 'y': return 1;
    case '\xff': return 2;
    default: return 0;
    }
}
static int on_uchar(unsigned char c)
{
    switch (c) {
    case 255: return 3;
    case 'y': return 4;
    default: return 0;
    }
}
static int on_enum(enum op o) { switch (o) { case NOP: return 5; case INC: return 6; case DEC: return 7; } return 0; }
static int on_bool(bool b) { switch ((int)b) { case 0: return 8; case 1: return 9; } return 0; }
static int on_ulong(unsigned long u)
{
    switch (u) {
    case 0xffffffffffffffff: return 11;
    case 1ul << 63: return 12;
    default: return 13;
    }
}

int main(void)
{
    printf("%d %d %d\n", on_char('y'), on_char((char)255), on_char('n'));
    printf("%d %d %d\n", on_uchar(255), on_uchar('y'), on_uchar(0));
    printf("%d %d %d\n", on_enum(NOP), on_enum(INC), on_enum(DEC));
    printf("%d %d\n", on_bool(0), on_bool(64));
    printf("%d %d %d\n", on_ulong(-1ul), on_ulong(0x8000000000000000), on_ulong(7));
    return on_char((char)0xff) * 10 + on_ulong(-1ul);
}
