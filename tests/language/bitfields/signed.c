/* Signed bit-fields are sign-extended when read. */
#include <stdio.h>

struct fields {
    signed int x : 4;
    signed int y : 6;
    signed int z : 1;
    signed int w : 21;
};

int main(void)
{
    struct fields f = { .x = -8, .y = 31, .z = -1, .w = -1000000 };
    printf("%d %d %d %d\n", f.x, f.y, f.z, f.w);
    f.x += 15;
    f.y = -f.y - 1;
    printf("%d %d\n", f.x, f.y);
    f.w /= 7;
    f.z = 0;
    printf("%d %d\n", f.w, f.z);
    int sum = 0;
    for (int i = -8; i < 8; i++) {
        f.x = i;
        sum += f.x * f.x;
    }
    printf("%d\n", sum);
    printf("%d\n", f.x > f.y);
    printf("%zu\n", sizeof f);
    return sum % 126;
}
