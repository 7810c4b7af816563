/* Only what malloc returned can be freed. */
#include <stdlib.h>

static int global;

int main(void)
{
    int local = 0;
    int *heap = malloc(2 * sizeof *heap);

    heap[0] = local;
    free(NULL);
    free(WHAT);
    return 0;
}
