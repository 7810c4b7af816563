/* Dining philosophers, endless or -DROUNDS=N: SEATS of them take the left fork, then the right one.
   -DORDERED takes the lower fork first, which is enough against the deadlock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static pthread_mutex_t fork_of[SEATS];
static int eater[SEATS];

static void *philosopher(void *arg)
{
    int id = (int)(intptr_t)arg;
    int one = id, two = (id + 1) % SEATS;

#ifdef ORDERED
    if (two < one) {
        one = two;
        two = id;
    }
#endif
    REPEAT {
        pthread_mutex_lock(&fork_of[one]);
        pthread_mutex_lock(&fork_of[two]);
        eater[one] = eater[two] = id;
        assert(eater[one] == id);
        pthread_mutex_unlock(&fork_of[two]);
        pthread_mutex_unlock(&fork_of[one]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[SEATS];

    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_of[i], NULL);
    for (int i = 0; i < SEATS; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
