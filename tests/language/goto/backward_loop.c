/* Loops made only of backward and forward jumps. */
#include <stdio.h>

static int multiply(int a, int b)
{
    int r = 0;
again:
    if (b == 0)
        goto done;
    if ((b & 1) == 0)
        goto even;
    r += a;
even:
    a += a;
    b >>= 1;
    goto again;
done:
    return r;
}

int main(void)
{
    int i = 0, j, sum = 0;
outer:
    j = 0;
inner:
    sum += i * j;
    if (++j < 4)
        goto inner;
    printf("%d: %d\n", i, sum);
    if (++i < 4)
        goto outer;
    printf("%d %d\n", multiply(13, 11), multiply(7, 0));
    return sum + multiply(3, 4);
}
