/* qsort on ints, structures and strings; bsearch in the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char key; int weight; };

static int up(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_weight_down(const void *a, const void *b)
{
    return ((const struct rec *)b)->weight - ((const struct rec *)a)->weight;
}
static int text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(void)
{
    int is[] = { 33, -5, 12, 99, 0, 7, -40, 58 };
    qsort(is, 8, sizeof *is, up);
    for (int i = 0; i < 8; i++)
        printf("%d ", is[i]);
    putchar('\n');
    struct rec rs[] = { { 'a', 5 }, { 'b', 50 }, { 'c', -1 }, { 'd', 20 } };
    qsort(rs, 4, sizeof *rs, by_weight_down);
    for (int i = 0; i < 4; i++)
        putchar(rs[i].key);
    putchar('\n');
    const char *ss[] = { "pear", "apple", "fig", "banana", "apples" };
    qsort(ss, 5, sizeof *ss, text);
    for (int i = 0; i < 5; i++)
        printf("%s ", ss[i]);
    putchar('\n');
    int want = 58, gone = 13;
    int *hit = bsearch(&want, is, 8, sizeof *is, up);
    printf("%d %d\n", hit ? (int)(hit - is) : -1, bsearch(&gone, is, 8, sizeof *is, up) == NULL);
    return hit ? *hit : 1;
}
