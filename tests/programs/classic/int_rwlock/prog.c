/* A read-write lock of two ints and atomic sections, endless or -DROUNDS=N.
   -DBROKEN: the reader tests for a writer and enters in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static int writing, readers;
static int x, y;

static void *writer(void *arg)
{
    (void)arg;
    REPEAT {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!writing && readers == 0);
        writing = 1;
        __VERIFIER_atomic_end();
        x = 1 - x;
        y = 1 - y;
        writing = 0;
    }
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    REPEAT {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!writing);
#ifdef BROKEN
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
#endif
        readers++;
        __VERIFIER_atomic_end();
        assert(x == y);
        __VERIFIER_atomic_begin();
        readers--;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
