/* getdelim allocates and stores a pointer; where it leads is not known. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;

    if (getdelim(&line, &size, '\n', stdin) > 0)
        assert(line[0] != 'x');
    return 0;
}
