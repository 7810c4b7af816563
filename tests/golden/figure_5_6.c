/* Metzler's figure 5.6: a branch of one thread that another one need not know of. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static int x, y, z;

static void *first(void *arg)
{
    while (1) {
        x = 1;
        if (z == 0)
            y = 1;
    }
    return arg;
}

static void *second(void *arg)
{
    while (1) {
        y = 0;
        x = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    z = __VERIFIER_nondet_int();
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
