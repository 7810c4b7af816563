/* A tagged union of different scalar kinds, evaluated by a visitor. */
#include <stdio.h>

struct variant {
    enum { V_INT, V_REAL, V_TEXT, V_PAIR } tag;
    union {
        long i;
        double r;
        const char *s;
        struct { const struct variant *a, *b; } pair;
    } u;
};

static double sum(const struct variant *v)
{
    switch (v->tag) {
    case V_INT: return (double)v->u.i;
    case V_REAL: return v->u.r;
    case V_TEXT: {
        int n = 0;
        while (v->u.s[n])
            n++;
        return n;
    }
    case V_PAIR: return sum(v->u.pair.a) + sum(v->u.pair.b);
    }
    return -1;
}

int main(void)
{
    struct variant a = { V_INT, { .i = -5 } }, b = { V_REAL, { .r = 2.75 } }, c = { V_TEXT, { .s = "seven77" } };
    struct variant ab = { V_PAIR, { .pair = { &a, &b } } };
    struct variant all = { V_PAIR, { .pair = { &ab, &c } } };
    printf("%.2f %.2f\n", sum(&ab), sum(&all));
    a.tag = V_REAL;
    a.u.r = 0.25;
    printf("%.2f\n", sum(&all));
    printf("%zu\n", sizeof(struct variant));
    return (int)(sum(&all) * 10);
}
