/*
 * Another program of the same project, with a main of its own.
 *
 * What to see: imc explore --compile-commands examples/project/compile_commands.json --target selftest
 */
#include <assert.h>

#include "account.h"

int main(void)
{
    deposit(3);
    assert(balance() == 3);
    return 0;
}
