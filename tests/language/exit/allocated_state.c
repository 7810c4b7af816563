/* exit while heap memory is still in use and reachable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *names[4];
static int used;

static void add(const char *s)
{
    if (used == 3) {
        int n = 0;
        for (int i = 0; i < used; i++)
            n += (int)strlen(names[i]);
        printf("full with %d characters\n", n);
        exit(n);
    }
    names[used] = malloc(strlen(s) + 1);
    if (!names[used])
        exit(100);
    strcpy(names[used], s);
    printf("%s\n", names[used]);
    used++;
}

int main(void)
{
    static const char *const in[] = { "alpha", "beta", "gamma", "delta" };
    for (int i = 0; i < 4; i++)
        add(in[i]);
    return 0;
}
