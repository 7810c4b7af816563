/* popcount, clz, ctz, ffs and parity builtins at both widths. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static const uint64_t xs[] = { 1, 2, 0x80, 0xffff, 0x80000000u, 0x8000000000000000u, 0x0123456789abcdefu };
    int total = 0;
    for (int i = 0; i < 7; i++) {
        unsigned u = (unsigned)xs[i];
        if (u)
            printf("%x: pop %d clz %d ctz %d ffs %d par %d\n", u, __builtin_popcount(u), __builtin_clz(u),
                   __builtin_ctz(u), __builtin_ffs((int)u), __builtin_parity(u));
        printf("%llx: pop %d clz %d ctz %d ffs %d par %d\n", (unsigned long long)xs[i],
               __builtin_popcountll(xs[i]), __builtin_clzll(xs[i]), __builtin_ctzll(xs[i]),
               __builtin_ffsll((long long)xs[i]), __builtin_parityll(xs[i]));
        total += __builtin_popcountll(xs[i]);
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%d %d\n", __builtin_clrsb(-1), __builtin_clrsb(255));
    return total;
}
