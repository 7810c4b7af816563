/*
 * Producers and consumers that share a ring buffer, with correct locking.
 *
 * Each thread tests under the lock whether there is room (an item) before it
 * produces (consumes), so OVERFLOW and UNDERFLOW are never returned.
 *
 * What to see: safe. The endless program has no deepest execution; a first
 * schedule that lets every thread move forever is found long before all
 * interleavings are covered, above all with -DPRODUCERS=4 -DCONSUMERS=4
 * -DSLOTS=1000.
 *
 * Parameters: -DPRODUCERS=1 -DCONSUMERS=1 -DSLOTS=5
 *             -DROUNDS=R  each thread does R rounds (default: endless)
 *             -DWORK      calls work(), which is linked with it, in each round
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules,
 * figures 4.3 and 4.9.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef SLOTS
#define SLOTS 5
#endif

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

#ifdef WORK
void work(void);
#else
#define work()
#endif

enum { DONE = 0, OVERFLOW = -1, UNDERFLOW = -2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SLOTS];
static int count, head, tail;

static int produce(int item)
{
    if (count == SLOTS)
        return OVERFLOW;
    buffer[tail] = item;
    tail = (tail + 1) % SLOTS;
    count++;
    return DONE;
}

static int consume(void)
{
    if (count == 0)
        return UNDERFLOW;
    int item = buffer[head];
    head = (head + 1) % SLOTS;
    count--;
    return item;
}

static void *producer(void *arg)
{
    int id = (int)(intptr_t)arg;

    REPEAT {
        work();
        pthread_mutex_lock(&mutex);
        if (count != SLOTS) {
            int result = produce(id);
            assert(result != OVERFLOW);
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&mutex);
        if (count > 0) {
            int result = consume();
            assert(result != UNDERFLOW);
        }
        pthread_mutex_unlock(&mutex);
        work();
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[PRODUCERS + CONSUMERS];

    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&thread[i], NULL, producer, (void *)(intptr_t)(i + 1));
    for (int i = PRODUCERS; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&thread[i], NULL, consumer, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
