/* What is weak and not defined is null; what the library defines is there, and so is a weak body. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern void hook(void) __attribute__((weak));
extern int option __attribute__((weak));
extern int option_array[4] __attribute__((weak));
#pragma weak pthread_create
#pragma weak strlen
__attribute__((weak)) int defined(void) { return 3; }

void (*hooks[])(void) = {hook};
int x;

int main(void)
{
    if (hook)
        hook();
    if (&option)
        x = option;
    assert(hooks[0] == 0 && &option == 0 && &option_array[0] == 0);
    assert(pthread_create != 0 && strlen("abc") == 3 && defined && defined() == 3);
    return x;
}
