/* Nobody sees the inside of an atomic section. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *run(void *arg)
{
    (void)arg;
    __VERIFIER_atomic_begin();
    x++;
    y++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
#ifdef TORN
    assert(x == y);
#else
    __VERIFIER_atomic_begin();
    assert(x == y);
    __VERIFIER_atomic_end();
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == 2 && y == 2);
    return 0;
}
