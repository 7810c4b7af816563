/* GNU case ranges over characters and numbers. */
#include <stdio.h>

static char classify(int c)
{
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'f':
    case 'A' ... 'F': return 'x';
    case 'g' ... 'z':
    case 'G' ... 'Z': return 'l';
    case ' ':
    case '\t' ... '\r': return 's';
    case -100 ... -1: return 'n';
    default: return '?';
    }
}

static int grade(unsigned points)
{
    switch (points) {
    case 0 ... 49: return 5;
    case 50 ... 64: return 4;
    case 65 ... 79: return 3;
    case 80 ... 91: return 2;
    case 92 ... 100: return 1;
    }
    return 0;
}

int main(void)
{
    for (const char *p = "Go 2 fab\tZ!"; *p; p++)
        putchar(classify(*p));
    putchar(classify(-1));
    putchar(classify(-101));
    putchar('\n');
    int sum = 0;
    for (unsigned i = 40; i <= 104; i += 8) {
        printf("%d ", grade(i));
        sum += grade(i);
    }
    printf("\n%d %d %d\n", grade(49), grade(50), grade(91));
    return sum;
}
