/* Prefixes, opcode and ModRM byte, as in Intel's manual, volume 2, chapter 2. */

#include "decode.h"

int is_call(const unsigned char *code)
{
    return code[0] == 0x0f && code[1] == 0x05;
}

static int is_prefix(unsigned char byte)
{
    return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0;
}

/* Opcodes of one byte that have no operand in memory, or only on the stack; and lea. */
static int is_plain(unsigned char opcode)
{
    unsigned char low = opcode & 7;
    if (opcode < 0x40)
        return low >= 4;
    return opcode < 0x62 || (opcode >= 0x68 && opcode != 0x69 && opcode != 0x6b && opcode < 0x80) ||
           (opcode >= 0x8d && opcode != 0x8f && opcode < 0xa0) || (opcode >= 0xa8 && opcode <= 0xa9) ||
           (opcode >= 0xb0 && opcode < 0xc0) || opcode == 0xc2 || opcode == 0xc3 ||
           (opcode >= 0xc8 && opcode < 0xd0) || (opcode >= 0xe0 && opcode < 0xf0);
}

static int is_string(unsigned char opcode)
{
    return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

static int is_elsewhere(const unsigned char *modrm, int far)
{
    int mode = modrm[0] >> 6, place = modrm[0] & 7;
    if (mode == 3)
        return 0;
    if (place == 4) {
        int base = modrm[1] & 7;
        if (mode == 0 && base == 5)
            return 1;
        return far || (base != 4 && base != 5);
    }
    if (place == 5)
        return mode == 0 || far; /* without a displacement, it is one from the instruction */
    return 1;
}

int touches(const unsigned char *code)
{
    int far = 0; /* the base is one of the registers from r8 on */
    if (*code == 0x64 || *code == 0x65)
        return 0; /* the thread's own data */
    while (is_prefix(*code))
        code++;
    if ((*code & 0xf0) == 0x40)
        far = *code++ & 1;
    if (*code == 0x0f) {
        unsigned char opcode = *++code;
        if (opcode == 0x38 || opcode == 0x3a)
            code++;
        else if ((opcode >= 0x80 && opcode < 0x90) || opcode == 0x05 || opcode == 0x1f)
            return 0;
        return is_elsewhere(code + 1, far);
    }
    if (is_string(*code))
        return 1;
    return !is_plain(*code) && is_elsewhere(code + 1, far);
}
