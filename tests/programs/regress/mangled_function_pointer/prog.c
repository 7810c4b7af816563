/* A function is called by an address that was mangled, as libraries keep theirs. */
#include <assert.h>
#include <stdint.h>

static int called;
static uintptr_t key = 0x5a5a5a5a12345678;

static void function(void)
{
    called = 1;
}

int main(void)
{
    uintptr_t mangled = (uintptr_t)function ^ key;
    void (*pointer)(void) = (void (*)(void))(mangled ^ key);
    pointer();
    assert(called);
}
