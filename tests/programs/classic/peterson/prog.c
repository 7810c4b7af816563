/* Peterson's algorithm, endless or -DROUNDS=N (correct and finite: examples/peterson.c).
   -DBROKEN gives way before announcing the wish. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static atomic_int wish0, wish1, turn;
static int owner;

static void *left(void *arg)
{
    (void)arg;
    REPEAT {
#ifdef BROKEN
        turn = 1;
        wish0 = 1;
#else
        wish0 = 1;
        turn = 1;
#endif
        while (wish1 && turn == 1)
            ;
        owner = 0;
        assert(owner == 0);
        wish0 = 0;
    }
    return NULL;
}

static void *right(void *arg)
{
    (void)arg;
    REPEAT {
#ifdef BROKEN
        turn = 0;
        wish1 = 1;
#else
        wish1 = 1;
        turn = 0;
#endif
        while (wish0 && turn == 0)
            ;
        owner = 1;
        assert(owner == 1);
        wish1 = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t0, t1;

    pthread_create(&t0, NULL, left, NULL);
    pthread_create(&t1, NULL, right, NULL);
    pthread_join(t0, NULL);
    pthread_join(t1, NULL);
    return 0;
}
