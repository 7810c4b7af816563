/*
 * The block of filesystem.c without locks: each thread only declares, by an
 * assumption, when its step may happen. The schedule has to see to it.
 *
 * What to see: safe. In some executions T1 allocates, T3 frees at once, and T1
 * waits for good at its assumption; a schedule has to avoid these. With the
 * threads in the order T1, T2, T3 the run is fair, but T2 always finds the
 * block busy and does nothing: see filesystem_assume_useful.c.
 *
 * Parameters: -DALLOCATED=0  initial value of inode and busy (0 or 1)
 *             -DROUNDS=R     each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, figure 4.15a.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef ALLOCATED
#define ALLOCATED 0
#endif

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

/* Atomic, because they are also tested outside of the sections. */
static atomic_int inode = ALLOCATED;
static atomic_int busy = ALLOCATED;
static int block;

static void *allocate(void *arg)
{
    (void)arg;

    REPEAT {
        if (!inode) {
            busy = 1;
            inode = 1;
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(inode && busy);
            block = 1;
            assert(block == 1);
            __VERIFIER_atomic_end();
        }
    }
    return NULL;
}

static void *clear(void *arg)
{
    (void)arg;

    REPEAT {
        if (!busy) {
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(!busy);
            block = 0;
            assert(block == 0);
            __VERIFIER_atomic_end();
        }
    }
    return NULL;
}

static void *deallocate(void *arg)
{
    (void)arg;

    REPEAT {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(inode == busy);
        inode = 0;
        busy = 0;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, allocate, NULL);
    pthread_create(&t2, NULL, clear, NULL);
    pthread_create(&t3, NULL, deallocate, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
