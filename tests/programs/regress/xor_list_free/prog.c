/* A list with one link for both directions: its nodes are freed by computed addresses. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { uintptr_t link; int value; };

static struct node *next(struct node *at, uintptr_t before)
{
    return (struct node *)(at->link ^ before);
}

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
    a->value = 1, b->value = 2, c->value = 3;
    a->link = c->link = (uintptr_t)b;
    b->link = (uintptr_t)a ^ (uintptr_t)c;
    int sum = 0;
    uintptr_t before = 0;
    for (struct node *at = a; at;) {
        struct node *after = next(at, before);
        before = (uintptr_t)at;
        sum = 10 * sum + at->value;
        free(at);
        at = after;
    }
    assert(sum == 123);
}
