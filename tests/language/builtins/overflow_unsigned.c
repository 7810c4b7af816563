/* Overflow builtins on unsigned and mixed types. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    unsigned u;
    uint8_t b;
    uint64_t q;
    int code = 0, o;
    o = __builtin_add_overflow(UINT_MAX, 2u, &u);
    printf("%d %u\n", o, u);
    code = code * 2 + o;
    o = __builtin_sub_overflow(3u, 5u, &u);
    printf("%d %u\n", o, u);
    code = code * 2 + o;
    o = __builtin_mul_overflow((uint8_t)16, (uint8_t)15, &b);
    printf("%d %u\n", o, b);
    code = code * 2 + o;
    o = __builtin_mul_overflow(0xffffffffffffu, 0x10000u, &q);
    printf("%d %llx\n", o, (unsigned long long)q);
    code = code * 2 + o;
    o = __builtin_mul_overflow(0xffffffffffffu, 0x10001u, &q);
    printf("%d %llx\n", o, (unsigned long long)q);
    code = code * 2 + o;
    o = __builtin_add_overflow(-1, 0u, &u);
    printf("%d %u\n", o, u);
    code = code * 2 + o;
    int i;
    o = __builtin_add_overflow(UINT_MAX, -1L, &i);
    printf("%d %d\n", o, i);
    code = code * 2 + o;
    return code;
}
