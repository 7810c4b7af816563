/*
 * How irs sleeps and wakes (irs/native/wait.c): whoever waits announces that it
 * sleeps and then looks at the count again; whoever counts stores the count and
 * then looks who sleeps. So one of them sees the other, and no wake-up is lost,
 * although a thread may be woken for a sleep that is over already. Who wakes a
 * thread counts it as running; in the end nobody has been counted twice.
 *
 * -DLOOK=0 leaves out the second look.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LOOK
#define LOOK 1
#endif

static atomic_int done;             /* events of the one who is waited for */
static atomic_int parked;           /* how many sleep until `done` has grown */
static atomic_int asleep, wanted;   /* of the one who waits */
static atomic_int running = 2;      /* threads that do not sleep */

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue = PTHREAD_COND_INITIALIZER;

/* The word is looked at and the sleep begins in one step. */
static void futex_wait(void)
{
    pthread_mutex_lock(&kernel);
    if (atomic_load(&asleep) == 1)
        pthread_cond_wait(&queue, &kernel);
    pthread_mutex_unlock(&kernel);
}

static void futex_wake(void)
{
    pthread_mutex_lock(&kernel);
    pthread_cond_signal(&queue);
    pthread_mutex_unlock(&kernel);
}

static void doze(void)
{
    atomic_fetch_sub(&running, 1);
    futex_wait();
    if (atomic_exchange(&asleep, 0))
        atomic_fetch_add(&running, 1);
}

static void park(int count)
{
    atomic_store(&wanted, count);
    atomic_fetch_add(&parked, 1);
    do {
        atomic_store(&asleep, 1);
        if (!LOOK || atomic_load(&done) < count)
            doze();
        else if (!atomic_exchange(&asleep, 0))
            atomic_fetch_sub(&running, 1);
    } while (atomic_load(&done) < count);
    atomic_fetch_sub(&parked, 1);
}

static void *waiter(void *arg)
{
    for (int count = 1; count <= 2; count++) {
        if (atomic_load(&done) < count)
            park(count);
        assert(atomic_load(&done) >= count);
    }
    return arg;
}

static void publish(int count)
{
    int sleeping = 1;

    atomic_store(&done, count);
    if (atomic_load(&parked) && atomic_load(&asleep) && atomic_load(&wanted) <= count)
        if (atomic_compare_exchange_strong(&asleep, &sleeping, 0)) {
            atomic_fetch_add(&running, 1);
            futex_wake();
        }
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, waiter, NULL);
    publish(1);
    publish(2);
    pthread_join(thread, NULL);
    assert(atomic_load(&running) == 2);
    return 0;
}
