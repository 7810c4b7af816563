/* Two threads count in the cell that their pointers name, and then each makes the other's pointer
   name its own cell. -DN=N rounds. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int cells[2];
static atomic_int *_Atomic pointers[2] = {&cells[0], &cells[1]};

static void *count(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int k = 0; k < N; k++)
        atomic_fetch_add(pointers[id], 1);
    pointers[1 - id] = &cells[id];
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, count, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(cells[0] + cells[1] == 2 * N);
    return 0;
}
