/* A singly linked list on the heap: insert sorted, reverse, free. */
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *insert(struct node *head, int v)
{
    struct node **p = &head;
    while (*p && (*p)->value < v)
        p = &(*p)->next;
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = v;
    n->next = *p;
    *p = n;
    return head;
}

static struct node *reverse(struct node *head)
{
    struct node *r = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = r;
        r = head;
        head = next;
    }
    return r;
}

int main(void)
{
    struct node *head = NULL;
    static const int vs[] = { 6, 2, 9, 4, 4, -3, 11 };
    for (int i = 0; i < 7; i++)
        head = insert(head, vs[i]);
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->value);
    putchar('\n');
    head = reverse(head);
    int code = 0;
    while (head) {
        struct node *next = head->next;
        printf("%d ", head->value);
        code = (code * 2 + head->value) % 120;
        free(head);
        head = next;
    }
    putchar('\n');
    return code < 0 ? 0 : code;
}
