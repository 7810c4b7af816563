/* No other answer of one of the two alone avoids the error, but answers of both do. */
#include <assert.h>

extern int ask(void), ask_again(void);

int main(void)
{
    int a = ask(), b = ask_again();

    assert(a == 2 && b == 2);
    return 0;
}
