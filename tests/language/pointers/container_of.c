/* From a pointer to a member back to the enclosing structure. */
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link { struct link *next; };
struct task { int priority; struct link by_age; char name[6]; struct link by_rank; };

static struct link *push(struct link *head, struct link *l)
{
    l->next = head;
    return l;
}

int main(void)
{
    struct task t[3] = { { 5, { 0 }, "five", { 0 } }, { 2, { 0 }, "two", { 0 } }, { 9, { 0 }, "nine", { 0 } } };
    struct link *age = NULL, *rank = NULL;
    for (int i = 0; i < 3; i++)
        age = push(age, &t[i].by_age);
    rank = push(rank, &t[1].by_rank);
    rank = push(rank, &t[2].by_rank);
    rank = push(rank, &t[0].by_rank);
    int code = 0;
    for (struct link *l = age; l; l = l->next)
        printf("%s ", container_of(l, struct task, by_age)->name);
    putchar('\n');
    for (struct link *l = rank; l; l = l->next) {
        struct task *k = container_of(l, struct task, by_rank);
        printf("%s %d\n", k->name, k->priority);
        code = code * 3 + k->priority;
    }
    printf("%zu %zu\n", offsetof(struct task, name), offsetof(struct task, by_rank));
    return code;
}
