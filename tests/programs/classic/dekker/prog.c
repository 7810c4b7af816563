/* Dekker's algorithm, endless or -DROUNDS=N (correct and finite: examples/dekker.c).
   -DBROKEN looks at the other's wish only once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif
#ifdef BROKEN
#define WHILE if
#else
#define WHILE while
#endif

static atomic_int wish[2], turn;
static int owner;

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg, other = 1 - id;

    REPEAT {
        wish[id] = 1;
        WHILE (wish[other]) {
            if (turn == other) {
                wish[id] = 0;
                while (turn == other)
                    ;
                wish[id] = 1;
            }
        }
        owner = id;
        assert(owner == id);
        turn = other;
        wish[id] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
