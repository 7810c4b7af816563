/* An address is the same whether it was computed or not: there are two final states. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic(uintptr_t) cell;
static atomic_int last;
static int variable;

static void *wash(void *unused)
{
    for (int k = 0; k < 2; k++)
        cell = (cell ^ 64) ^ 64;
    last = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    cell = (uintptr_t)&variable;
    pthread_create(&thread, NULL, wash, NULL);
    last = 2;
    cell = (uintptr_t)&variable;
    pthread_join(thread, NULL);
}
