/* Functions returning pointers to statics, arguments and functions. */
#include <stdio.h>

static int *slot(int i)
{
    static int slots[4] = { 1, 2, 3, 4 };
    return &slots[i & 3];
}

static int *max_of(int *a, int *b) { return *a > *b ? a : b; }
static const char *skip(const char *s, int n) { return n && *s ? skip(s + 1, n - 1) : s; }
static int (*row(int i))[3]
{
    static int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    return &m[i];
}
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*choose(int which))(void) { return which ? two : one; }

int main(void)
{
    *slot(1) += 40;
    *slot(6) = -*slot(2);
    printf("%d %d %d\n", *slot(1), *slot(2), *slot(3));
    int x = 3, y = 8;
    *max_of(&x, &y) = 0;
    *max_of(&x, &y) = 70;
    printf("%d %d\n", x, y);
    puts(skip("abcdef", 2));
    puts(skip("ab", 9)[0] ? "more" : "end");
    (*row(1))[2] *= 2;
    printf("%d\n", (*row(1))[2]);
    return choose(1)() * 10 + choose(0)() + x;
}
