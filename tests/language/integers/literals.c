/* Constants written in several bases, with suffixes, and as characters. */
#include <stdio.h>

int main(void)
{
    printf("%d %d %d\n", 255, 0377, 0xFF);
    printf("%d\n", 0b101101);
    printf("%zu %zu %zu\n", sizeof 1, sizeof 1L, sizeof 2147483648);
    printf("%zu %zu\n", sizeof 0xffffffff, sizeof 0x100000000);
    printf("%d %d\n", 0x7fffffff > 0, 0xffffffff > 0);
    printf("%llu\n", 18446744073709551615ULL);
    printf("%d %d %d %d\n", 'A', '\n', '\x41', '\101');
    printf("%d %d\n", '\0', '\\');
    printf("%zu\n", sizeof 'A');
    printf("%d\n", -1 < 0U);
    printf("%ld\n", -2147483648 - 1);
    printf("%u\n", 1u << 31);
    return 'd' - 'A' + 010;
}
