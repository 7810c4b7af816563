/* By-value structures of every size from 1 to 9 bytes, and 15 to 17. */
#include <stdio.h>

#define DEFINE(n) \
    struct b##n { unsigned char v[n]; }; \
    static struct b##n bump##n(struct b##n s, unsigned char k) \
    { \
        for (int i = 0; i < n; i++) \
            s.v[i] = (unsigned char)(s.v[i] * 3 + k); \
        return s; \
    }
#define USE(n) do { \
        struct b##n s; \
        for (int i = 0; i < n; i++) \
            s.v[i] = (unsigned char)(i + n); \
        s = bump##n(s, n); \
        unsigned h = 0; \
        for (int i = 0; i < n; i++) \
            h = h * 31 + s.v[i]; \
        printf("%d %zu %u\n", n, sizeof s, h); \
        total += h; \
    } while (0)

DEFINE(1) DEFINE(2) DEFINE(3) DEFINE(4) DEFINE(5) DEFINE(6) DEFINE(7)
DEFINE(8) DEFINE(9) DEFINE(15) DEFINE(16) DEFINE(17)

int main(void)
{
    unsigned total = 0;
    USE(1); USE(2); USE(3); USE(4); USE(5); USE(6); USE(7);
    USE(8); USE(9); USE(15); USE(16); USE(17);
    printf("%u\n", total);
    return (int)(total % 103);
}
