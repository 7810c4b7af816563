/* Globals that point at each other: a static tree and a ring. */
#include <stdio.h>

struct tree { int key; const struct tree *left, *right; };
static const struct tree n1 = { 1, NULL, NULL }, n3 = { 3, NULL, NULL };
static const struct tree n2 = { 2, &n1, &n3 };
static const struct tree n5 = { 5, NULL, NULL };
static const struct tree n4 = { 4, &n2, &n5 };

struct ring { char c; struct ring *next; };
static struct ring r_b, r_c;
static struct ring r_a = { 'a', &r_b };
static struct ring r_b = { 'b', &r_c };
static struct ring r_c = { 'c', &r_a };

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}

static void walk(const struct tree *t)
{
    if (t) {
        walk(t->left);
        printf("%d ", t->key);
        walk(t->right);
    }
}

int main(void)
{
    walk(&n4);
    printf("depth %d\n", depth(&n4));
    struct ring *p = &r_b;
    for (int i = 0; i < 7; i++, p = p->next)
        putchar(p->c);
    putchar('\n');
    return p->c;
}
