/* Nested constant tables with strings, negative numbers and arrays. */
#include <stdio.h>

struct price { const char *unit; short cents[3]; };
struct entry { char code[4]; long offset; struct price prices[2]; signed char delta; };

static const struct entry table[] = {
    { "ab", -1, { { "kg", { 100, -50 } }, { "lb", { 45 } } }, -128 },
    { "xyz", 1L << 40, { { .cents = { [2] = 7 }, .unit = "pc" } }, 127 },
    { { 'q' }, -9223372036854775807L, { { "", { -1, -2, -3 } }, { 0, { 0 } } }, -1 },
};

int main(void)
{
    int sum = 0;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        const struct entry *e = &table[i];
        printf("%-4s %ld %d", e->code, e->offset, e->delta);
        for (int k = 0; k < 2; k++) {
            printf(" %s[", e->prices[k].unit ? e->prices[k].unit : "none");
            for (int c = 0; c < 3; c++) {
                printf("%d,", e->prices[k].cents[c]);
                sum += e->prices[k].cents[c];
            }
            putchar(']');
        }
        putchar('\n');
    }
    printf("%d\n", sum);
    return sum;
}
