/* Every character class over a selection of characters. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    const char *sample = "aZ5 _\n\tf~!\x7f\x01";
    int total = 0;
    for (const char *p = sample; *p; p++) {
        int c = (unsigned char)*p;
        unsigned bits = 0;
        bits |= (unsigned)!!isalpha(c) << 0;
        bits |= (unsigned)!!isdigit(c) << 1;
        bits |= (unsigned)!!isalnum(c) << 2;
        bits |= (unsigned)!!isspace(c) << 3;
        bits |= (unsigned)!!isupper(c) << 4;
        bits |= (unsigned)!!islower(c) << 5;
        bits |= (unsigned)!!ispunct(c) << 6;
        bits |= (unsigned)!!isxdigit(c) << 7;
        bits |= (unsigned)!!iscntrl(c) << 8;
        bits |= (unsigned)!!isprint(c) << 9;
        bits |= (unsigned)!!isgraph(c) << 10;
        bits |= (unsigned)!!isblank(c) << 11;
        printf("%02x %03x\n", (unsigned)c, bits);
        for (; bits; bits &= bits - 1)
            total++;
    }
    printf("%d\n", total);
    return total;
}
