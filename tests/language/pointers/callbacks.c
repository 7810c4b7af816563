/* Callbacks with a context pointer: map, filter and fold. */
#include <stdio.h>

typedef void (*visitor)(int value, void *context);

static void each(const int *a, int n, visitor f, void *context)
{
    for (int i = 0; i < n; i++)
        f(a[i], context);
}

struct filter { int min; int kept[8]; int n; };

static void total(int v, void *context) { *(long *)context += v; }
static void keep(int v, void *context)
{
    struct filter *f = context;
    if (v >= f->min)
        f->kept[f->n++] = v;
}
static void print(int v, void *context) { printf("%s%d", (const char *)context, v); }

int main(void)
{
    static const int a[] = { 9, -4, 22, 7, 0, 13 };
    long sum = 0;
    each(a, 6, total, &sum);
    struct filter f = { .min = 8 };
    each(a, 6, keep, &f);
    each(f.kept, f.n, print, (void *)", ");
    printf("\nsum %ld kept %d\n", sum, f.n);
    each(f.kept + 1, f.n - 1, total, &sum);
    printf("%ld\n", sum);
    return (int)sum;
}
