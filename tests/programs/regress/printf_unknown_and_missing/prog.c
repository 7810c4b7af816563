/* The format asks for one more argument than there is, and the one there is is an input. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
static const char *format = "%d %d\n";

int main(void)
{
    printf(format, __VERIFIER_nondet_int());
    return 0;
}
