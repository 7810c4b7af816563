/* Names of a directory are put into a list; an entry is gone with the next one. */
#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    DIR *directory = opendir(".");
    char *names[2], *last = NULL;
    int count = 0;

    if (!directory)
        return 1;
    for (struct dirent *entry; (entry = readdir(directory));) {
        assert(count < 2 && strlen(entry->d_name) <= 4);
#ifdef STALE
        if (last)
            assert(last[0] == last[0] && strlen(last) < 5);
        last = entry->d_name;
#endif
        names[count++] = strdup(entry->d_name);
    }
    closedir(directory);
    while (count > 0)
        free(names[--count]);
    (void)last;
    return 0;
}
