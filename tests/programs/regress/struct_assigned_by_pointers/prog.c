/* A shared struct is assigned to another through pointers; a third thread sees the copy half
 * done. */
#include <assert.h>
#include <pthread.h>

struct big { int v[6]; };
static struct big one = {{1, 1, 1, 1, 1, 1}}, two;
static struct big *from = &one, *to = &two;

static void *copier(void *arg)
{
    *to = *from;
    return arg;
}

int main(void)
{
    pthread_t t;
    int last, first;

    pthread_create(&t, 0, copier, 0);
    last = two.v[5];
    first = two.v[0];
    pthread_join(t, 0);
    assert(first == last);
    return 0;
}
