/* GNU __thread storage, addresses of it, and an errno-like accessor. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static __thread int last_error;
extern __thread char scratch[16];
__thread char scratch[16] = "initial";
static __thread const char *name = "main";

static int *error_location(void) { return &last_error; }
#define my_errno (*error_location())

static int divide(int a, int b)
{
    if (b == 0) {
        my_errno = 33;
        return 0;
    }
    return a / b;
}

int main(void)
{
    printf("%s %s\n", scratch, name);
    printf("%d\n", divide(84, 2));
    divide(1, 0);
    printf("%d\n", my_errno);
    scratch[0] = 'I';
    name = scratch + 4;
    printf("%s\n", name);
    errno = 0;
    strtol("99999999999999999999", NULL, 10);
    printf("%d\n", errno == ERANGE);
    my_errno += 2;
    return last_error;
}
