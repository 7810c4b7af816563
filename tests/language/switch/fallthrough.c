/* Falling through cases, and Duff's device. */
#include <stdio.h>

static int count(int n)
{
    int r = 0;
    switch (n) {
    case 5:
        r += 16;
        /* fall through */
    case 4:
        r += 8;
        /* fall through */
    case 3:
        r += 4;
        break;
    case 2:
        r += 2;
        /* fall through */
    default:
        r += 100;
        /* fall through */
    case 1:
        r += 1;
    }
    return r;
}

static void copy(char *to, const char *from, int n)
{
    int rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { *to++ = *from++; /* fall through */
    case 3:      *to++ = *from++; /* fall through */
    case 2:      *to++ = *from++; /* fall through */
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

int main(void)
{
    for (int i = 0; i < 7; i++)
        printf("%d ", count(i));
    putchar('\n');
    char out[16] = "";
    copy(out, "duff's device", 13);
    puts(out);
    copy(out, "tight", 5);
    puts(out);
    return count(2);
}
