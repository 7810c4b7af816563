/* Null pointer tests, const-qualified and restrict pointers. */
#include <stddef.h>
#include <stdio.h>

static size_t count(const char *const *list)
{
    size_t n = 0;
    if (!list)
        return 0;
    while (*list++)
        n++;
    return n;
}

static void saxpy(int n, int k, const int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += k * x[i];
}

static const char *or_default(const char *s) { return s ?: "(default)"; }

int main(void)
{
    const char *const list[] = { "a", "b", "c", NULL };
    printf("%zu %zu %zu\n", count(list), count(list + 2), count(NULL));
    int x[] = { 1, 2, 3 }, y[] = { 100, 100, 100 };
    saxpy(3, -7, x, y);
    printf("%d %d %d\n", y[0], y[1], y[2]);
    puts(or_default(NULL));
    puts(or_default("given"));
    void (*fp)(int, int, const int *restrict, int *restrict) = NULL;
    if (fp == NULL)
        fp = saxpy;
    fp(2, 1, x + 1, y);
    printf("%d %d\n", y[0], y[1]);
    return y[2];
}
