/* An assumption keeps only the executions in which the flag was seen. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static int flag, data;

static void *sender(void *arg)
{
    (void)arg;
    data = 1;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, sender, NULL);
    __VERIFIER_assume(flag == 1);
    assert(data == EXPECTED);
    pthread_join(t, NULL);
    return 0;
}
