/*
 * The files of a tree, for ftw and nftw, which are C code of the verified program: its callbacks
 * have gates, so the system's own cannot be used.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096 };

static int kind(const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_D:
        return FTW_D;
    case FTS_DP:
        return FTW_DP;
    case FTS_DNR:
        return FTW_DNR;
    case FTS_NS:
        return FTW_NS;
    case FTS_SL:
        return FTW_SL;
    case FTS_SLNONE:
        return FTW_SLN;
    default:
        return FTW_F;
    }
}

/* Directories come before what is in them, or with FTW_DEPTH after it. */
static bool is_wanted(const FTSENT *entry, int flags)
{
    switch (entry->fts_info) {
    case FTS_D:
        return !(flags & FTW_DEPTH);
    case FTS_DP:
        return flags & FTW_DEPTH;
    case FTS_DC:
    case FTS_DOT:
        return false;
    default:
        return true;
    }
}

int irs_next_file(void **tree, const char *root, int flags, char *path, struct stat *found,
                  int *type, struct FTW *place)
{
    FTSENT *entry;

    if (*tree == NULL) {
        char *roots[] = {(char *)root, NULL};
        int how = FTS_NOCHDIR | (flags & FTW_PHYS ? FTS_PHYSICAL : FTS_LOGICAL) |
                  (flags & FTW_MOUNT ? FTS_XDEV : 0);

        *tree = fts_open(roots, how, NULL);
        if (*tree == NULL)
            return -1;
    }
    do {
        errno = 0;
        entry = fts_read(*tree);
        if (entry == NULL)
            return errno ? -1 : 0;
        if (entry->fts_level == 0 && (entry->fts_info == FTS_NS || entry->fts_info == FTS_ERR)) {
            errno = entry->fts_errno;
            return -1;
        }
    } while (!is_wanted(entry, flags) || entry->fts_pathlen >= PATH_BYTES);
    memcpy(path, entry->fts_path, (size_t)entry->fts_pathlen + 1);
    if (entry->fts_info == FTS_NS)
        memset(found, 0, sizeof *found);
    else
        *found = *entry->fts_statp;
    *type = kind(entry);
    place->base = (int)(entry->fts_pathlen - entry->fts_namelen);
    place->level = entry->fts_level;
    return 1;
}

void irs_end_files(void **tree)
{
    if (*tree != NULL)
        fts_close(*tree);
    *tree = NULL;
}
