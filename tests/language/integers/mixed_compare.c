/* Comparisons between operands of different signedness and width. */
#include <stdio.h>

static const char *yesno(int v) { return v ? "yes" : "no"; }

int main(void)
{
    int m = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    unsigned char uc = 255;
    signed char sc = -1;
    unsigned short us = 65535;

    printf("int < unsigned: %s\n", yesno((unsigned)m < u));
    printf("long < unsigned: %s\n", yesno(l < u));
    printf("long < unsigned long: %s\n", yesno((unsigned long)l < ul));
    printf("uchar == schar: %s\n", yesno(uc == sc));
    printf("schar < uchar: %s\n", yesno(sc < uc));
    printf("ushort > int: %s\n", yesno(us > m));
    printf("unsigned max == int -1: %s\n", yesno(0xffffffffu == (unsigned)m));
    printf("long -1 == unsigned max: %s\n", yesno(l == 0xffffffffu));
    int score = 0;
    score += (m < 0) << 0;
    score += (u >= 1) << 1;
    score += (l <= m) << 2;
    score += (sc != uc) << 3;
    score += (us == 0xffff) << 4;
    return score;
}
