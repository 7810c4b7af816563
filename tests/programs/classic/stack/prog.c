/* A stack under a mutex, one thread pushes and two pop; endless or -DROUNDS=N.
   -DBROKEN tests for emptiness before it takes the mutex. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif
#define SIZE 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], top;

static void *pusher(void *arg)
{
    (void)arg;
    REPEAT {
        pthread_mutex_lock(&m);
        if (top < SIZE) {
            items[top] = top + 1;
            top++;
        }
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void pop(void)
{
    assert(top > 0);
    top--;
    assert(items[top] == top + 1);
}

static void *popper(void *arg)
{
    (void)arg;
    REPEAT {
#ifdef BROKEN
        int filled = top > 0;
        pthread_mutex_lock(&m);
#else
        pthread_mutex_lock(&m);
        int filled = top > 0;
#endif
        if (filled)
            pop();
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, pusher, NULL);
    pthread_create(&t[1], NULL, popper, NULL);
    pthread_create(&t[2], NULL, popper, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
