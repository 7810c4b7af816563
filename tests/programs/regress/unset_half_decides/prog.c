/* The half of a struct that nobody has set is looked at after the struct was passed on. */
#include <assert.h>
#include <pthread.h>

struct half { int a, b; };

static struct half same(struct half x) { return x; }
static void *work(void *arg)
{
    struct half h;
    h.a = 1;
    assert(same(h).b == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
