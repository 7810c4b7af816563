/* One element too far, on the stack, in a global, on the heap; reading and writing. */
#include <stdlib.h>

static int global[3];

int main(void)
{
    int local[3] = {0, 0, 0};
    int *heap = calloc(3, sizeof *heap);
    int i = INDEX;

#ifdef WRITE
    WHERE[i] = 1;
#else
    i = WHERE[i];
#endif
    free(heap);
    return local[0] + i;
}
