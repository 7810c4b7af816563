/* The value of a variable need not fit. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *user = getenv("USER"), copy[4];

    if (user)
        strcpy(copy, user);
    return 0;
}
