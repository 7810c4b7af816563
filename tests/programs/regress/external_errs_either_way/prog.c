/* The program branches on the answer, and the error comes either way. */
#include <assert.h>

extern int ask(void);

int main(void)
{
    int x;

    if (ask() > 5)
        x = 1;
    else
        x = 2;
    assert(x == 0);
    return 0;
}
