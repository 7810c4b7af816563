/* A Treiber stack driven by one thread. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

struct node { int v; struct node *next; };
static _Atomic(struct node *) top;
static struct node nodes[6];

static void push(struct node *n)
{
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
        ;
    return old;
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        nodes[i].v = i * i;
        push(&nodes[i]);
    }
    struct node *a = pop();
    struct node *b = pop();
    printf("%d %d\n", a->v, b->v);
    push(a);
    int sum = 0;
    for (struct node *n; (n = pop());) {
        printf("%d ", n->v);
        sum += n->v;
    }
    printf("\n%d\n", atomic_load(&top) == NULL);
    return sum;
}
