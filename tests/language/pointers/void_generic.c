/* Generic code over void pointers with an element size. */
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t n)
{
    unsigned char *p = a, *q = b;
    while (n--) {
        unsigned char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}

static const void *largest(const void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
    const char *p = base, *best = p;
    for (size_t i = 1; i < n; i++)
        if (cmp(p + i * size, best) > 0)
            best = p + i * size;
    return best;
}

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_len(const void *a, const void *b)
{
    return (int)strlen(*(const char *const *)a) - (int)strlen(*(const char *const *)b);
}

int main(void)
{
    int is[] = { 4, 19, -3, 8 };
    const char *ss[] = { "one", "three", "four" };
    printf("%d\n", *(const int *)largest(is, 4, sizeof *is, by_int));
    printf("%s\n", *(const char *const *)largest(ss, 3, sizeof *ss, by_len));
    swap(&is[0], &is[2], sizeof(int));
    swap(&ss[0], &ss[1], sizeof ss[0]);
    printf("%d %d %s %s\n", is[0], is[2], ss[0], ss[1]);
    double d[2] = { 1.5, -2.5 };
    swap(d, d + 1, sizeof(double));
    printf("%.1f %.1f\n", d[0], d[1]);
    return (int)strlen(ss[0]) + is[1];
}
