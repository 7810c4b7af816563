/* Calls with many arguments of different classes in one format. */
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    printf("%.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f\n",
           .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.);
    printf("%d %.2f %s %c %ld %.3f %x %s %u %.1f %lld %d\n", 1, 2.0, "three", '4', 5L, 6.0, 7u,
           "eight", 9u, 10.0, 11LL, 12);
    int8_t a = INT8_MIN;
    uint16_t b = UINT16_MAX;
    int32_t c = INT32_MIN;
    uint64_t d = UINT64_MAX;
    printf("%" PRId8 " %" PRIu16 " %" PRId32 " %" PRIu64 " %" PRIx64 "\n", a, b, c, d, d);
    int n = printf("%s%d%s%d%s%d%s%d\n", "a", 1, "b", 2, "c", 3, "d", 4);
    printf("%d\n", n);
    return n * 11;
}
