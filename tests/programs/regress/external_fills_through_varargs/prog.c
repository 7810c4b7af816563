/* A pointer among variable arguments is a pointer that was given. */
#include <assert.h>

extern int read_all(const char *, ...);

int main(void)
{
    int x = 1;

    read_all("x", 5, &x);
    assert(x == 1);
    return 0;
}
