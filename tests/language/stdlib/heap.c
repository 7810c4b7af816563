/* malloc, calloc, realloc growing and shrinking, free of null. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a);
    long *z = calloc(5, sizeof *z);
    if (!a || !z)
        return 1;
    for (int i = 0; i < 4; i++)
        a[i] = i + 1;
    printf("%d\n", (int)((uintptr_t)a % 16 + (uintptr_t)z % 16));
    long zeros = 0;
    for (int i = 0; i < 5; i++)
        zeros |= z[i];
    printf("%ld\n", zeros);
    a = realloc(a, 10 * sizeof *a);
    if (!a)
        return 2;
    for (int i = 4; i < 10; i++)
        a[i] = a[i - 1] + a[i - 4];
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    putchar('\n');
    int tenth = a[9];
    a = realloc(a, 2 * sizeof *a);
    if (!a)
        return 3;
    printf("%d %d\n", a[0], a[1]);
    char *s = realloc(NULL, 6);
    if (!s)
        return 4;
    strcpy(s, "fresh");
    puts(s);
    free(s);
    free(NULL);
    free(a);
    free(z);
    return tenth;
}
