/* Bit-fields overlaid on an integer through a union. */
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t raw;
    struct {
        uint32_t opcode : 6;
        uint32_t rs : 5;
        uint32_t rt : 5;
        int32_t imm : 16;
    } f;
    struct {
        unsigned char lo4 : 4, hi4 : 4;
    } nibbles[4];
};

int main(void)
{
    union word w = { .raw = 0 };
    w.f.opcode = 0x2b;
    w.f.rs = 29;
    w.f.rt = 8;
    w.f.imm = -4;
    printf("%08x\n", w.raw);
    w.raw ^= 0x00010000u << 3;
    printf("%d\n", w.f.imm);
    for (int i = 3; i >= 0; i--)
        printf("%x%x ", w.nibbles[i].hi4, w.nibbles[i].lo4);
    putchar('\n');
    w.nibbles[0].hi4 = 0;
    printf("%u %u\n", w.f.opcode, w.f.rs);
    return (int)(w.raw & 0x3f) + w.f.rt;
}
