/* A table of function pointers with different bodies, called by index. */
#include <stdio.h>

typedef int (*binop)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int divide(int a, int b) { return b ? a / b : 0; }

static const struct { char symbol; binop f; } table[] = {
    { '+', add }, { '-', sub }, { '*', mul }, { '/', divide },
};

static binop find(char c)
{
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].symbol == c)
            return table[i].f;
    return NULL;
}

static binop pick(int n) { return n % 2 ? add : mul; }

int main(void)
{
    for (const char *p = "+-*/"; *p; p++)
        printf("12 %c 5 = %d\n", *p, find(*p)(12, 5));
    printf("%d %d\n", find('?') == NULL, find('+') == add);
    printf("%d %d\n", pick(3)(4, 5), (*pick(4))(4, 5));
    binop fs[2] = { add, sub };
    binop *pf = fs;
    int r = (*++pf)(50, 8);
    printf("%d\n", r);
    return r;
}
