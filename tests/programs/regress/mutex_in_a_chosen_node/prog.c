/* A pointer to the node whose mutex is taken is read from shared memory, where an input put it. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
struct node { pthread_mutex_t mutex; int value; };
static struct node nodes[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static struct node *head;

static void *worker(void *arg)
{
    pthread_mutex_lock(&head->mutex);
    head->value++;
    pthread_mutex_unlock(&head->mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    head = &nodes[__VERIFIER_nondet_bool()];
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(nodes[0].value + nodes[1].value == 2);
    return 0;
}
