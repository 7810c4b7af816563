/* The error is reached but for one answer, which is none of those that are tried. */
#include <assert.h>

extern int ask(void);

int main(void)
{
    assert(ask() == 3);
    return 0;
}
