/* abs, labs, div and ldiv, which return small structures. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%d %d %ld %lld\n", abs(-5), abs(5), labs(-9000000000L), llabs(-1LL));
    div_t d = div(-17, 5);
    printf("%d %d\n", d.quot, d.rem);
    d = div(17, -5);
    printf("%d %d\n", d.quot, d.rem);
    ldiv_t l = ldiv(10000000001L, 10L);
    printf("%ld %ld\n", l.quot, l.rem);
    lldiv_t ll = lldiv(-7, 2);
    printf("%lld %lld\n", ll.quot, ll.rem);
    int total = 0;
    for (int i = -3; i <= 3; i++)
        total += abs(i) * abs(i);
    printf("%d\n", total);
    printf("%d %d\n", EXIT_SUCCESS, EXIT_FAILURE);
    return total + d.rem;
}
