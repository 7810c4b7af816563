/* Both threads see a pointer to free. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) p;

static void *run(void *arg)
{
    (void)arg;
#ifdef EXCHANGE
    free(atomic_exchange(&p, NULL));
#else
    if (p != NULL) {
        free(p);
        p = NULL;
    }
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    p = malloc(sizeof(int));
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
