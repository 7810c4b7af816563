/* Pointers are alike, extra arguments are not looked at, and results need not be. */
#include <assert.h>

static int count;

static void *first(int *p, long n)
{
    return p + n;
}

static int counts(void)
{
    return ++count;
}

int main(void)
{
    int v[2] = {1, 2};
    char *(*f)(void *, void *) = (char *(*)(void *, void *))first;
    void (*g)(int, double) = (void (*)(int, double))counts;

    assert(*(int *)f(v, (void *)1) == 2);
    g(1, 2.0);
    assert(count == 1);
    return 0;
}
