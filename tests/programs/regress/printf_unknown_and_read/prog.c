/* One argument of printf is an input; the string that is another one is written meanwhile. */
#include <pthread.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
static char text[4] = "a";

static void *prints(void *arg)
{
    printf("%s %d\n", text, __VERIFIER_nondet_int());
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, prints, 0);
    text[0] = 'b';
    pthread_join(t, 0);
    return 0;
}
