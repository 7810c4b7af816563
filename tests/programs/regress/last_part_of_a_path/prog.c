/* The last part of a path begins before its end, and a directory is one: once, this was unsafe. */
#define _GNU_SOURCE
#include <assert.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int visit(const char *path, const struct stat *found, int type, struct FTW *place)
{
    char *copy = strdup(path);
    int begins = copy[place->base] != 0;

    assert(begins);
    assert(type != FTW_D || S_ISDIR(found->st_mode));
    free(copy);
    return 0;
}

int main(void)
{
    return nftw("some", visit, 4, FTW_PHYS) != 0;
}
