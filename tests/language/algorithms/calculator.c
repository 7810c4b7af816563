/* A recursive-descent calculator with precedence and parentheses. */
#include <stdio.h>

static const char *in;

static long expression(void);

static long primary(void)
{
    if (*in == '-') {
        in++;
        return -primary();
    }
    if (*in == '(') {
        in++;
        long v = expression();
        in++;
        return v;
    }
    long v = 0;
    while (*in >= '0' && *in <= '9')
        v = v * 10 + (*in++ - '0');
    return v;
}

static long term(void)
{
    long v = primary();
    while (*in == '*' || *in == '/' || *in == '%') {
        char op = *in++;
        long r = primary();
        v = op == '*' ? v * r : r == 0 ? 0 : op == '/' ? v / r : v % r;
    }
    return v;
}

static long expression(void)
{
    long v = term();
    while (*in == '+' || *in == '-')
        v = *in++ == '+' ? v + term() : v - term();
    return v;
}

int main(void)
{
    static const char *const tests[] = { "1+2*3", "(1+2)*3", "100/7%5", "-(4-10)*-2", "2*(3+(4-1)*5)-6/4", "8-3-2" };
    long sum = 0;
    for (int i = 0; i < 6; i++) {
        in = tests[i];
        long v = expression();
        printf("%s = %ld\n", tests[i], v);
        sum += v;
    }
    return (int)sum;
}
