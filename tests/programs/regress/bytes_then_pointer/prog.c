/* Memory that was filled byte by byte holds an address, the same node is shared by two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node { char name[8]; struct node *next; };
static struct node *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *name)
{
    struct node *made = malloc(sizeof *made);
    for (int k = 0; k < (int)sizeof *made; k++) ((char *)made)[k] = 0;
    made->name[0] = *(char *)name;
    pthread_mutex_lock(&lock);
    made->next = first;
    first = made;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, push, "a");
    pthread_create(&two, 0, push, "b");
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(first->name[0] != first->next->name[0] && !first->next->next);
    struct node *second = first->next;
    free(first);
    free(second);
}
