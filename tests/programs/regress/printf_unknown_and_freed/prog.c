/* One argument of printf is an input; the string that is another one has been freed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static char *text;

static void *prints(void *arg)
{
    printf("%d %s\n", __VERIFIER_nondet_int(), text);
    return arg;
}

int main(void)
{
    pthread_t t;

    text = calloc(1, 4);
    pthread_create(&t, 0, prints, 0);
    free(text);
    pthread_join(t, 0);
    return 0;
}
