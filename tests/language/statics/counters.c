/* Static locals keep their values; equal names in two functions differ. */
#include <stdio.h>

static int next(void)
{
    static int n = 10;
    return n++;
}

static int other(int reset)
{
    static int n;
    static int history[4];
    if (reset)
        n = 0;
    history[n & 3] += n;
    n++;
    return history[0] + history[1] + history[2] + history[3];
}

static int nested(int depth)
{
    static int visits = 0;
    visits++;
    if (depth)
        nested(depth - 1);
    return visits;
}

int main(void)
{
    int a = next();
    int b = next();
    int c = next();
    printf("%d %d %d\n", a, b, c);
    for (int i = 0; i < 6; i++)
        printf("%d ", other(i == 4));
    putchar('\n');
    printf("%d ", nested(3));
    printf("%d\n", nested(0));
    for (int i = 0; i < 3; i++) {
        static int inner = 5;
        inner *= 2;
        printf("%d ", inner);
    }
    putchar('\n');
    return next() + nested(1);
}
