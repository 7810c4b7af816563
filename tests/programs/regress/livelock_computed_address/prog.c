/* Two threads write the same address for ever, one of them computes it: nobody changes anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic(uintptr_t) cell;
static atomic_int stop;
static int variable;
static uintptr_t key = 64;

static void *compute(void *unused)
{
    while (!stop)
        cell = ((uintptr_t)&variable ^ key) ^ key;
    return unused;
}

int main(void)
{
    pthread_t thread;
    cell = (uintptr_t)&variable;
    pthread_create(&thread, NULL, compute, NULL);
    while (!stop)
        cell = (uintptr_t)&variable;
    pthread_join(thread, NULL);
}
