/* A binary search tree: insertion, traversal, deletion, height. */
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *kid[2]; };

static void insert(struct tree **t, int key)
{
    while (*t) {
        if ((*t)->key == key)
            return;
        t = &(*t)->kid[key > (*t)->key];
    }
    *t = calloc(1, sizeof **t);
    if (!*t)
        exit(1);
    (*t)->key = key;
}

static void erase(struct tree **t, int key)
{
    while (*t && (*t)->key != key)
        t = &(*t)->kid[key > (*t)->key];
    struct tree *old = *t;
    if (!old)
        return;
    if (old->kid[0] && old->kid[1]) {
        struct tree **m = &old->kid[1];
        while ((*m)->kid[0])
            m = &(*m)->kid[0];
        old->key = (*m)->key;
        t = m;
        old = *m;
    }
    *t = old->kid[0] ? old->kid[0] : old->kid[1];
    free(old);
}

static int show(const struct tree *t)
{
    if (!t) return 0;
    int l = show(t->kid[0]);
    printf("%d ", t->key);
    int r = show(t->kid[1]);
    return 1 + (l > r ? l : r);
}

int main(void)
{
    struct tree *root = NULL;
    for (int i = 0; i < 10; i++)
        insert(&root, i * 7 % 10 * 3);
    printf("height %d\n", show(root));
    erase(&root, 0); erase(&root, 21); erase(&root, 5); erase(&root, 12);
    int h = show(root), key = root->key;
    printf("height %d\n", h);
    while (root)
        erase(&root, root->key);
    return h * 10 + key;
}
