/* Writing one bit-field leaves its neighbours alone. */
#include <stdio.h>

struct rgb565 {
    unsigned short b : 5, g : 6, r : 5;
};

static void show(struct rgb565 p) { printf("%u %u %u\n", p.r, p.g, p.b); }

int main(void)
{
    struct rgb565 p = { .r = 31, .g = 63, .b = 31 };
    show(p);
    p.g = 0;
    show(p);
    p.r = 17;
    p.b ^= 0x15;
    show(p);
    p.g = p.r + p.b;
    show(p);
    struct rgb565 line[4] = { { 1, 2, 3 }, { 4, 5, 6 } };
    line[2] = p;
    line[3] = line[0];
    line[3].g = 40;
    unsigned total = 0;
    for (int i = 0; i < 4; i++) {
        show(line[i]);
        total += line[i].r + line[i].g + line[i].b;
    }
    printf("%u %zu\n", total, sizeof line);
    return (int)total % 100;
}
