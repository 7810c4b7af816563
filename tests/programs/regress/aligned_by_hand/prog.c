/* Memory that is aligned by hand, as allocators do it: the address is computed, and a number. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *whole = malloc(100);
    char *aligned = (char *)(((uintptr_t)whole + sizeof(void *) + 31) & ~(uintptr_t)31);
    ((void **)aligned)[-1] = whole;
    memset(aligned, 0, 40);
    assert(((uintptr_t)aligned & 31) == 0);
    free(((void **)aligned)[-1]);
}
