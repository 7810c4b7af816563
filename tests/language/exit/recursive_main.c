/* main calls itself with other arguments. */
#include <stdio.h>

static int level;

int main(int argc, char **argv)
{
    (void)argv;
    if (level == 4)
        return 11;
    level++;
    printf("level %d\n", level);
    int r = main(argc, argv);
    printf("back %d\n", r);
    level--;
    return r + 2;
}
