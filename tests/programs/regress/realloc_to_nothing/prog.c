/* What is made nothing of is freed; what there was nothing of is new. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

extern void *reallocarray(void *, size_t, size_t);

int main(void)
{
    char *text = malloc(10), *more;

    assert(realloc(text, 0) == NULL);
    assert((text = realloc(NULL, 0)) != NULL);
    assert((text = reallocarray(text, 2, 4)) != NULL);
    text[7] = 3;
    errno = 0;
    assert(reallocarray(text, SIZE_MAX, 2) == NULL && errno == ENOMEM);
    assert((more = realloc(text, 9)) != NULL && more[7] == 3);
    free(more);
    return 0;
}
