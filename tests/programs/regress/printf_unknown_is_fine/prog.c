/* Inputs and strings are printed as the format says; nothing is wrong. */
#include <pthread.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
static char text[4] = "a";

static void *prints(void *arg)
{
    printf("%s %d %.1s\n", text, __VERIFIER_nondet_int(), text);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, prints, 0);
    prints(0);
    pthread_join(t, 0);
    return 0;
}
