/* Numbers lead from one object to the other, also where these lie close to each other. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    intptr_t distance = (intptr_t)b - (intptr_t)a;
    int *c = (int *)((intptr_t)a + distance);

    *b = 7;
    assert(c == b && *c == 7 && distance != 0);
    return 0;
}
