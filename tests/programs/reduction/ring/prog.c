/* Threads in a ring: each makes the next one's cell equal to its own, in one step. -DTHREADS=N. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x[THREADS];

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    __VERIFIER_atomic_begin();
    x[(id + 1) % THREADS] = x[id];
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
