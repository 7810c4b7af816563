/* Library functions are given strings by computed addresses. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[] = "hey";
static uintptr_t key = 0x1234567890;

int main(void)
{
    uintptr_t hidden = (uintptr_t)text ^ key;
    assert(strlen((char *)(hidden ^ key)) == 3);
    printf("%s\n", (char *)(hidden ^ key));
    char *copy = strdup((char *)(hidden ^ key));
    assert(copy[0] == 'h');
    free(copy);
}
