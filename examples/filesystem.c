/*
 * A disk block whose lock changes over time.
 *
 * While the block is free (busy == 0) it belongs to whoever holds m_busy; once
 * it is allocated it belongs to whoever holds m_inode. T1 allocates and writes
 * the block, T2 clears it while it is free, T3 frees it again.
 *
 * What to see: safe. No single lock guards block, so a check that asks for one
 * common lock would complain; by happens-before there is no race.
 *
 * Parameters: -DALLOCATED=0  initial value of inode and busy (0 or 1)
 *             -DROUNDS=R     each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, figure 4.14;
 * extends an example of Flanagan, Freund and Qadeer (2002), which is taken
 * from the Frangipani file system.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef ALLOCATED
#define ALLOCATED 0
#endif

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;
static int inode = ALLOCATED;
static int busy = ALLOCATED;
static int block;

static void *allocate(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&m_inode);
        if (!inode) {
            pthread_mutex_lock(&m_busy);
            busy = 1;
            pthread_mutex_unlock(&m_busy);
            inode = 1;
            block = 1;
            assert(block == 1);
        }
        pthread_mutex_unlock(&m_inode);
    }
    return NULL;
}

static void *clear(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&m_busy);
        if (!busy) {
            block = 0;
            assert(block == 0);
        }
        pthread_mutex_unlock(&m_busy);
    }
    return NULL;
}

static void *deallocate(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&m_inode);
        pthread_mutex_lock(&m_busy);
        inode = 0;
        busy = 0;
        pthread_mutex_unlock(&m_inode);
        pthread_mutex_unlock(&m_busy);
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
