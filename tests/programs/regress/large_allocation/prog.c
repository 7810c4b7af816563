/* Gigabytes are given like any other number of bytes; more than there are addresses for never is. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    size_t size = (size_t)5 << 30;
    char *data = malloc(size);
    assert(data);
    data[size - 1] = 1;
    void *kept = data;
    assert(!malloc(SIZE_MAX));
    assert(!calloc(SIZE_MAX / 8, 16));
    assert(!realloc(data, SIZE_MAX / 2));
    assert(posix_memalign(&kept, 16, SIZE_MAX / 2) != 0 && kept == data);
    free(data);
}
