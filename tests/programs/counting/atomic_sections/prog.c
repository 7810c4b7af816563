/* An atomic section is one event. */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *run(void *arg)
{
    __VERIFIER_atomic_begin();
    x = (int)(long)arg;
    y = (int)(long)arg;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
