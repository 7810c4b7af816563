/* The reader assumes that it comes after the writer. */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static int x;

static void *writer(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    __VERIFIER_assume(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
