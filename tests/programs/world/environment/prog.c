/* A variable of the environment is there or not, and stays as it is. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *home = getenv("HOME"), copy[9];

#ifndef TRUSTING
    if (home == NULL)
        return 1;
#endif
    assert(strlen(home) <= 8);
    strcpy(copy, getenv("HOME"));
    assert(!strcmp(copy, home));
    setenv("HOME", "elsewhere", 1);
    assert(!strcmp(getenv("HOME"), "elsewhere"));
    unsetenv("HOME");
    assert(!getenv("HOME"));
    return 0;
}
