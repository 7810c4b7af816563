/* Pre- and post-increment through pointers, with all precedences. */
#include <stdio.h>

int main(void)
{
    int a[] = { 10, 20, 30, 40, 50 };
    int *p = a;
    int r1 = *p++;
    int r2 = (*p)++;
    int r3 = ++*p;
    int r4 = *++p;
    int r5 = --*p;
    int r6 = *p--;
    int r7 = (*p)--;
    printf("%d %d %d %d %d %d %d\n", r1, r2, r3, r4, r5, r6, r7);
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    putchar('\n');
    char text[] = "abc";
    char *s = text;
    while (*s)
        ++*s++;
    puts(text);
    char out[8], *o = out;
    const char *in = "copied";
    while ((*o++ = *in++))
        ;
    printf("%s %d\n", out, (int)(o - out));
    int *q[2] = { a, a + 3 };
    int r8 = *q[0]++ + *q[1]++;
    printf("%d %d %d\n", r8, *q[0], *q[1]);
    return (int)(o - out) + r8;
}
