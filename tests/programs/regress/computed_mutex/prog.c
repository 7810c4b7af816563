/* A mutex is taken by a computed address: events tell of the mutex, not of a number. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static struct node { pthread_mutex_t mutex; int value; } a = {PTHREAD_MUTEX_INITIALIZER, 0},
                                                         b = {PTHREAD_MUTEX_INITIALIZER, 0};
static uintptr_t link;

static void *add(void *unused)
{
    struct node *other = (struct node *)(link ^ (uintptr_t)&a);
    pthread_mutex_lock(&other->mutex);
    other->value++;
    pthread_mutex_unlock(&other->mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    link = (uintptr_t)&a ^ (uintptr_t)&b;
    pthread_create(&thread, NULL, add, NULL);
    pthread_mutex_lock(&b.mutex);
    b.value++;
    pthread_mutex_unlock(&b.mutex);
    pthread_join(thread, NULL);
    assert(b.value == 2);
}
