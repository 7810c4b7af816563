/* With FTW_DEPTH a directory is told of after what is in it, as FTW_DP: once, it never was. */
#define _GNU_SOURCE
#include <assert.h>
#include <ftw.h>

static int visit(const char *path, const struct stat *found, int type, struct FTW *place)
{
    assert(type != FTW_DP);
    return 0;
}

int main(void)
{
    return nftw("some", visit, 4, FTW_DEPTH | FTW_PHYS) != 0;
}
