/* Size, contents and mapping of a file. */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat found;
    int file = open("input", O_RDONLY);
    unsigned sum = 0;

    if (file < 0 || fstat(file, &found) != 0)
        return 1;
    assert(found.st_size >= 0);
#ifdef TRUSTING
    assert(found.st_size > 0);
#endif
    unsigned char *text = mmap(NULL, found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED)
        return 2;
    for (long i = 0; i < found.st_size; i++)
        sum += text[i];
    munmap(text, found.st_size);
    close(file);
#ifdef LATE
    sum += text[0];
#endif
    return 0;
}
