/* Vyukov's lock-free stack of three cells, with its ABA bug. Threads pop, push, pop, ..., and wait
   rather than pop the last cell. -DOPS1=N -DOPS2=N -DOPS3=N operations (0: no such thread). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef OPS1
#define OPS1 2
#endif
#ifndef OPS2
#define OPS2 1
#endif
#ifndef OPS3
#define OPS3 0
#endif

static atomic_int next[3] = {1, 2, -1}, head, count = 3;
static int owner[3];

static int pop(void)
{
    for (;;) {
        int first, second;

        while (atomic_load(&count) <= 1)
            ;
        first = atomic_load(&head);
        second = atomic_exchange(&next[first], -1);
        if (second >= 0) {
            int seen = first;

            if (atomic_compare_exchange_strong(&head, &seen, second)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&next[first], second);
        }
    }
}

static void push(int cell)
{
    int seen = atomic_load(&head);

    do
        atomic_store(&next[cell], seen);
    while (!atomic_compare_exchange_strong(&head, &seen, cell));
    atomic_fetch_add(&count, 1);
}

static void run(int id, int ops)
{
    for (int k = 0, cell = 0; k < ops; k++)
        if (k % 2) {
            push(cell);
        } else {
            cell = pop();
            owner[cell] = id;
            assert(owner[cell] == id);
        }
}

static void *first(void *arg)
{
    (void)arg;
    run(1, OPS1);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    run(2, OPS2);
    return NULL;
}

static void *third(void *arg)
{
    (void)arg;
    run(3, OPS3);
    return NULL;
}

int main(void)
{
    void *(*const runs[3])(void *) = {first, second, third};
    const int ops[3] = {OPS1, OPS2, OPS3};
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        if (ops[i])
            pthread_create(&t[i], NULL, runs[i], NULL);
    for (int i = 0; i < 3; i++)
        if (ops[i])
            pthread_join(t[i], NULL);
    return 0;
}
