/* __builtin_expect, constant_p folded away, choose_expr, unreachable. */
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static int kind(unsigned v)
{
    switch (v & 3) {
    case 0: return 'a';
    case 1: return 'b';
    case 2: return 'c';
    case 3: return 'd';
    }
    __builtin_unreachable();
}

static long weird(long v) { return __builtin_expect(v, 7) * 2; }

int main(void)
{
    int odd = 0;
    for (int i = 0; i < 20; i++) {
        if (unlikely(i % 7 == 6))
            odd += 10;
        if (likely(i < 18))
            odd++;
    }
    printf("%d\n", odd);
    printf("%ld %ld\n", weird(7), weird(-3));
    for (unsigned i = 0; i < 6; i++)
        putchar(kind(i * 3));
    putchar('\n');
    int c = __builtin_choose_expr(sizeof(long) == 8, 64, "unused");
    printf("%d %d\n", c, __builtin_types_compatible_p(int, signed));
    printf("%d\n", __builtin_constant_p(3 + 4));
    return odd + c;
}
