/* A loop that only looks, but counts down from an unsigned input: it is never back where it was. */
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static int seen, flag;

static void *look(void *arg)
{
    unsigned left = __VERIFIER_nondet_uint();
    int last = 0;

    do
        last = flag;
    while (left-- > 2);
    seen = last;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, look, 0);
    flag = 1;
    pthread_join(t, 0);
    return seen > 1;
}
