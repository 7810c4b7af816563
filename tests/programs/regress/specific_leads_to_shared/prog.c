/* Thread-specific pointers of two threads lead, in two steps, to the same counter. */
#include <assert.h>
#include <pthread.h>

struct link { int *counter; };
static int counter;
static struct link link = {&counter};
static pthread_key_t key;

static void add(void)
{
    struct link *mine = pthread_getspecific(key);

    ++*mine->counter;
}

static void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    add();
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, 0);
    pthread_create(&t, 0, worker, &link);
    pthread_setspecific(key, &link);
    add();
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
