/* Neighbouring bit-fields race, although no bit is shared. */
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned a : 8;
#ifdef APART
    unsigned : 0;
#endif
    unsigned b : 8;
} s;

static void *run(void *arg)
{
    (void)arg;
    s.a = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
#ifdef READ
    int b = s.b;
    (void)b;
#else
    s.b = 1;
#endif
    pthread_join(t, NULL);
    return 0;
}
