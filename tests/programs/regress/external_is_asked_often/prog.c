/* Many branches depend on answers, and none of them has a part in the error. */
#include <assert.h>
#include <pthread.h>

extern int ask(void);
static int x;

static void *adds(void *arg)
{
    int yes = 0;

    for (int i = 0; i < 8; i++)
        if (ask())
            yes++;
    x++;
    return yes > 3 ? arg : 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, adds, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
