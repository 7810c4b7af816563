/*
 * A program of several files, compiled as a build system says (compile_commands.json).
 *
 * What to see: imc verify --compile-commands examples/project/compile_commands.json --target work
 * finds its files and how they are compiled by itself. LIMIT is defined by the build only.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "account.h"

static void *worker(void *argument)
{
    deposit(LIMIT / 2);
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance() == LIMIT);
    return 0;
}
