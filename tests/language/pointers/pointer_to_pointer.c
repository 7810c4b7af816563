/* Pointers to pointers: output parameters and unlinking from a list. */
#include <stddef.h>
#include <stdio.h>

struct node { int v; struct node *next; };

static void advance(const char **pp)
{
    while (**pp == ' ')
        ++*pp;
}

static int remove_all(struct node **head, int v)
{
    int n = 0;
    while (*head) {
        if ((*head)->v == v) {
            *head = (*head)->next;
            n++;
        } else
            head = &(*head)->next;
    }
    return n;
}

int main(void)
{
    const char *text = "   spaced   out";
    advance(&text);
    puts(text);
    struct node n[6];
    static const int vs[] = { 4, 1, 4, 4, 2, 4 };
    for (int i = 0; i < 6; i++)
        n[i] = (struct node){ vs[i], i < 5 ? &n[i + 1] : NULL };
    struct node *head = n;
    int removed = remove_all(&head, 4);
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->v);
    printf("removed %d\n", removed);
    int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
    ***ppp = 10;
    *pp = &y;
    ***ppp = 20;
    printf("%d %d\n", x, y);
    return removed * 10 + *p;
}
