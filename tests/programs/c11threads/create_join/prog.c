/* Threads of <threads.h>: the result is an int. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static thread_local int mine;

static int run(void *arg)
{
    mine = *(int *)arg;
    if (mine == 2)
        thrd_exit(-2);
    return mine;
}

int main(void)
{
    thrd_t t[2];
    int in[2] = {1, 2}, out[2];

    for (int i = 0; i < 2; i++)
        assert(thrd_create(&t[i], run, &in[i]) == thrd_success);
    for (int i = 0; i < 2; i++)
        assert(thrd_join(t[i], &out[i]) == thrd_success);
    assert(out[0] == 1 && out[1] == -2);
    assert(mine == 0);
    return 0;
}
