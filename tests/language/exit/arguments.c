/* argc and argv of a program started without arguments. */
#include <stdio.h>
#include <string.h>

static int count(char **v)
{
    int n = 0;
    while (v[n])
        n++;
    return n;
}

int main(int argc, char *argv[])
{
    printf("%d\n", argc);
    printf("%d\n", count(argv) == argc);
    printf("%d\n", argv[argc] == NULL);
    printf("%d\n", argc > 0 && strlen(argv[0]) > 0);
    return argc + 20;
}
