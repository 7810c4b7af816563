/* Error codes carried up through several layers to main. */
#include <stdio.h>

enum error { OK, E_EMPTY = 3, E_DIGIT = 14, E_RANGE = 15 };

static enum error parse_digit(char c, int *out)
{
    if (c < '0' || c > '9')
        return E_DIGIT;
    *out = c - '0';
    return OK;
}

static enum error parse(const char *s, int *out)
{
    if (!*s)
        return E_EMPTY;
    *out = 0;
    for (; *s; s++) {
        int d;
        enum error e = parse_digit(*s, &d);
        if (e)
            return e;
        *out = *out * 10 + d;
        if (*out > 1000)
            return E_RANGE;
    }
    return OK;
}

int main(void)
{
    static const char *const in[] = { "12", "999", "", "1x", "5000" };
    int combined = 0;
    for (int i = 0; i < 5; i++) {
        int v = -1;
        enum error e = parse(in[i], &v);
        printf("'%s' %d %d\n", in[i], (int)e, e ? 0 : v);
        combined ^= (int)e << i;
    }
    printf("%d\n", combined);
    return combined % 126;
}
