/* Only the low eight bits of the status are reported. */
#include <stdio.h>
#include <stdlib.h>

static int status(int v) { return v * 256; }

int main(void)
{
    int s = status(3) + 45;
    printf("%d %d\n", s, s & 0xff);
    int back = s % 256;
    printf("%d\n", back);
    if (back == 45) {
        puts("leaving");
        exit(s);
    }
    return 1;
}
