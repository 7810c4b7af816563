/* Pointers through uintptr_t and back, with offsets. */
#include <stdint.h>
#include <stdio.h>

struct item { int id; char name[12]; };

int main(void)
{
    struct item items[4] = { { 1, "one" }, { 2, "two" }, { 3, "three" }, { 4, "four" } };
    uintptr_t base = (uintptr_t)items;
    uintptr_t third = base + 2 * sizeof(struct item);
    struct item *p = (struct item *)third;
    printf("%d %s\n", p->id, p->name);
    printf("%d\n", p == &items[2]);
    printf("%d\n", (int)((uintptr_t)&items[3].name[1] - base));
    uintptr_t bits = (uintptr_t)&items[1];
    uintptr_t hidden = ~bits;
    struct item *q = (struct item *)~hidden;
    printf("%s\n", q->name);
    intptr_t delta = (intptr_t)&items[0] - (intptr_t)&items[3];
    printf("%ld\n", (long)delta);
    printf("%d\n", (uintptr_t)(void *)0 == 0);
    printf("%d\n", (int)(base % _Alignof(struct item)));
    return p->id * 10 + q->id;
}
