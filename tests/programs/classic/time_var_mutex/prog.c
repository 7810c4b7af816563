/* Which mutex protects the block changes with time: the one of the inode while it is allocated,
   the one of the busy bit while it is free. -DUNRELATED lets the two disagree at the start. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;
static int block, busy, inode;

static void *allocator(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m_inode);
    if (!inode) {
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    return NULL;
}

static void *cleaner(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m_busy);
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&m_busy);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    inode = __VERIFIER_nondet_bool();
    busy = __VERIFIER_nondet_bool();
#ifndef UNRELATED
    __VERIFIER_assume(inode == busy);
#endif
    pthread_create(&t1, NULL, allocator, NULL);
    pthread_create(&t2, NULL, cleaner, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
