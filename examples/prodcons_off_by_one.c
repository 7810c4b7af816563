/*
 * Producers and consumers that do not wait for room or for an item.
 *
 * The accesses are locked, but nothing keeps the producer from taking one turn
 * too many on a full buffer, or the consumer on an empty one.
 *
 * What to see: assertion "underflow" when the consumer runs first, assertion
 * "overflow" when the producer runs SLOTS + 1 times in a row. The endless
 * program is still usable: under a schedule in which the threads take turns,
 * producer first, no error is reached.
 *
 * Parameters: -DPRODUCERS=1 -DCONSUMERS=1 -DSLOTS=2
 *             -DROUNDS=R  each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, figure 4.2.
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
#define SLOTS 2
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
    pthread_mutex_lock(&mutex);
    if (count < SLOTS) {
        buffer[tail] = item;
        tail = (tail + 1) % SLOTS;
        count++;
    } else {
        assert(!"overflow");
    }
    pthread_mutex_unlock(&mutex);
}

static int consume(void)
{
    int item = 0;

    pthread_mutex_lock(&mutex);
    if (count > 0) {
        item = buffer[head];
        head = (head + 1) % SLOTS;
        count--;
    } else {
        assert(!"underflow");
    }
    pthread_mutex_unlock(&mutex);
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
