/*
 * A bounded queue with a mutex and two condition variables.
 *
 * What to see: safe, no deadlock. The items arrive in order and their sum is
 * right; with fewer slots than items both threads may have to wait.
 *
 * Parameters: -DSLOTS=1 -DITEMS=2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int queue[SLOTS];
static int count, head;
static int sum;

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (count == SLOTS)
        pthread_cond_wait(&not_full, &mutex);
    queue[(head + count) % SLOTS] = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void)
{
    pthread_mutex_lock(&mutex);
    while (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    int item = queue[head];
    head = (head + 1) % SLOTS;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *arg)
{
    (void)arg;

    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *consumer(void *arg)
{
    int total = 0;

    (void)arg;
    for (int i = 1; i <= ITEMS; i++) {
        int item = take();
        assert(item == i);
        total += item;
    }
    sum = total;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(sum == ITEMS * (ITEMS + 1) / 2);
    return 0;
}
