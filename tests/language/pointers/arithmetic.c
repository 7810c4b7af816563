/* Pointer arithmetic, differences and comparisons inside one array. */
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    long a[10];
    long *const end = a + 10;
    for (long *p = a; p != end; ++p)
        *p = (p - a) * (p - a);
    long *q = &a[7];
    printf("%ld %ld %ld\n", *q, q[-2], *(q + 1));
    ptrdiff_t d = q - &a[2];
    printf("%td %td\n", d, &a[2] - q);
    printf("%d %d %d\n", q > a, q < end, q >= &a[7]);
    q -= 5;
    printf("%ld\n", *q++);
    printf("%ld\n", *--q);
    printf("%d\n", (int)((char *)end - (char *)a));
    long sum = 0;
    for (long *p = end; p-- > a + 4;)
        sum += *p;
    printf("%ld\n", sum);
    return (int)(sum % 100);
}
