/* <ftw.h>: the files of a tree, one after the other. Which there are the world tells. */
#include <stddef.h>

enum { PATH_BYTES = 4096, STAT_WORDS = 18 };

struct place {
    int base, level;
};

/* The next file: 1 if there is one, 0 at the end, -1 after an error. `tree` is null at first. */
extern int imc_next_file(void **tree, const char *root, int flags, char *path, void *found,
                         int *type, struct place *place);
extern void imc_end_files(void **tree);

typedef int visitor(const char *path, const void *found, int type, struct place *place);
typedef int simple_visitor(const char *path, const void *found, int type);

static int walk(const char *root, visitor *visit, simple_visitor *simple, int flags)
{
    char path[PATH_BYTES];
    unsigned long long found[STAT_WORDS];
    struct place place;
    void *tree = NULL;
    int type, more, result = 0;

    while (!result && (more = imc_next_file(&tree, root, flags, path, found, &type, &place)) > 0)
        result = simple ? simple(path, found, type) : visit(path, found, type, &place);
    imc_end_files(&tree);
    return result ? result : more;
}

int ftw(const char *root, simple_visitor *visit, int descriptors)
{
    (void)descriptors;
    return walk(root, NULL, visit, 0);
}

int nftw(const char *root, visitor *visit, int descriptors, int flags)
{
    (void)descriptors;
    return walk(root, visit, NULL, flags);
}

int ftw64(const char *root, simple_visitor *visit, int descriptors)
{
    return ftw(root, visit, descriptors);
}

int nftw64(const char *root, visitor *visit, int descriptors, int flags)
{
    return nftw(root, visit, descriptors, flags);
}
