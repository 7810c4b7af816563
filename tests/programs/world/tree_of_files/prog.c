/* The files of a tree are counted by a callback, while another thread looks on. */
#define _GNU_SOURCE
#include <assert.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int files, seen;

static int visit(const char *path, const struct stat *found, int type)
{
    assert(path && (type == FTW_NS || found->st_size >= 0));
    pthread_mutex_lock(&mutex);
    if (type == FTW_F)
        files++;
    pthread_mutex_unlock(&mutex);
#ifdef FEW
    assert(files < 2);
#endif
    return 0;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    seen = files;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t other;
    int result;

    pthread_create(&other, NULL, look, NULL);
    result = ftw("tests/programs/world/tree_of_files", visit, 8);
    pthread_join(other, NULL);
    assert(seen <= files && (result == 0 || result == -1));
    return 0;
}
