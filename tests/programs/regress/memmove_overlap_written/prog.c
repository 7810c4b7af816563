/* Between the read and the write of an overlapping memmove both elements are written; what memmove
 * has read replaces what is newer. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int a[3] = {0, 0, 7};

static void *mover(void *arg)
{
    memmove(a + 1, a, 2 * sizeof *a);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, mover, 0);
    a[0] = 1;
    a[1] = 1;
    pthread_join(t, 0);
    assert(a[1] == 1); /* before, between or after the two writes, as one step it leaves 1 */
    return 0;
}
