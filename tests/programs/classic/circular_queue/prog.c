/* A ring of slots between two endless threads: the bits 0, 1, 0, 1, ... come out as they went in.
   -DBROKEN believes that the ring has one slot more. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define SIZE 3
#ifdef BROKEN
#define MOST (SIZE + 1)
#else
#define MOST SIZE
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ring[SIZE], head, count;

static void *producer(void *arg)
{
    int bit = 0;

    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        if (count < MOST) {
            ring[(head + count) % SIZE] = bit;
            count++;
            bit = 1 - bit;
        }
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    int expected = 0;

    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        if (count > 0) {
            assert(ring[head] == expected);
            head = (head + 1) % SIZE;
            count--;
            expected = 1 - expected;
        }
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
