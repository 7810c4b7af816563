/*
 * Producers and consumers that test the buffer before they take the lock.
 *
 * Between the test and the lock another producer (consumer) may use the last
 * free slot (the last item). The test is also a data race on count.
 *
 * What to see: assertion failure with two producers or two consumers; none
 * with one of each, because then only the own thread can invalidate its test.
 * The race on count is there in both cases. A schedule that runs each produce
 * and each consume without a switch inside avoids the error.
 *
 * Parameters: -DPRODUCERS=2 -DCONSUMERS=2 -DSLOTS=1
 *             -DROUNDS=R  each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, figure 4.12.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SLOTS];
static int count, head, tail;

static void produce(int item)
{
    if (count < SLOTS) {
        pthread_mutex_lock(&mutex);
        assert(count < SLOTS);
        buffer[tail] = item;
        tail = (tail + 1) % SLOTS;
        count++;
        pthread_mutex_unlock(&mutex);
    }
}

static int consume(void)
{
    int item = 0;

    if (count > 0) {
        pthread_mutex_lock(&mutex);
        assert(count > 0);
        item = buffer[head];
        head = (head + 1) % SLOTS;
        count--;
        pthread_mutex_unlock(&mutex);
    }
    return item;
}

static void *producer(void *arg)
{
    int id = (int)(intptr_t)arg;

    REPEAT
        produce(id);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;

    REPEAT
        consume();
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
