/* memcpy of objects, memmove with overlap in both directions. */
#include <stdio.h>
#include <string.h>

struct item { int id; char name[8]; double w; };

int main(void)
{
    char text[] = "0123456789";
    memmove(text + 2, text, 5);
    puts(text);
    memmove(text, text + 4, 6);
    puts(text);
    struct item a = { 7, "seven", 0.5 }, b;
    memcpy(&b, &a, sizeof b);
    b.name[0] = 'S';
    printf("%d %s %.1f %s\n", b.id, b.name, b.w, a.name);
    int src[6] = { 1, 2, 3, 4, 5, 6 }, dst[6] = { 0 };
    memcpy(dst + 1, src + 2, 3 * sizeof *src);
    for (int i = 0; i < 6; i++)
        printf("%d ", dst[i]);
    putchar('\n');
    memmove(src + 1, src, 5 * sizeof *src);
    printf("%d %d %d\n", src[0], src[1], src[5]);
    char *r = memcpy(text, "xy", 2);
    printf("%d %s\n", r == text, text);
    memcpy(text, text + 5, 0);
    return src[5] * 10 + dst[3];
}
