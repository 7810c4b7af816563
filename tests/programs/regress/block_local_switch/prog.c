/* A jump into the middle of a block passes its declarations by: the local is there all the same. */
#include <assert.h>
#include <pthread.h>

static int kind;

static void set(int *p, int value) { *p = value; }

static void *work(void *arg)
{
    switch (kind) {
        int value;
    case 0:
        set(&value, 7);
        assert(value == 7);
        break;
    default:
        set(&value, 8);
        assert(value == 8);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    kind = 1;
    pthread_join(t, 0);
    return 0;
}
