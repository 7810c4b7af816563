/* What can be reached from the pointer may change as well. */
#include <assert.h>

struct node { int value; struct node *next; };
extern void visit(struct node *);

int main(void)
{
    struct node last = {2, 0}, first = {1, &last};

    visit(&first);
    assert(last.value == 2);
    return 0;
}
