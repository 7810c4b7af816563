/* The stack of Treiber, whose nodes are used again: a pop that has looked too early may still find
   the top that it expects, with another node below it (ABA). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    int owned;
};

static struct node nodes[2];
static struct node *_Atomic top;

static struct node *pop(void)
{
    struct node *seen = top;

    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next))
        ;
    return seen;
}

static void push(struct node *node)
{
    struct node *seen = top;

    do {
        node->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *one(void *arg)
{
    struct node *mine = pop();

    if (mine)
        assert(!mine->owned++);
    mine = pop();
    if (mine)
        assert(!mine->owned++);
    return arg;
}

static void *two(void *arg)
{
    struct node *first = pop(), *second = pop();

    if (second)
        second->owned++;
    if (first)
        push(first);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
