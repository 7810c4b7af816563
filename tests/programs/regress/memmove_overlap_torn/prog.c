/* An overlapping memmove is seen half done, whichever end it begins at. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int a[3] = {1, 2, 3};

static void *mover(void *arg)
{
    memmove(a + 1, a, 2 * sizeof *a);
    return arg;
}

int main(void)
{
    pthread_t t;
    int last, middle, last_again;

    pthread_create(&t, 0, mover, 0);
    last = a[2];
    middle = a[1];
    last_again = a[2];
    pthread_join(t, 0);
    assert(middle == 2 ? last == 3 : last_again == 2);
    return 0;
}
