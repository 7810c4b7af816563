/* Assignment copies every member, including arrays, and copies are independent. */
#include <stdio.h>
#include <string.h>

struct record { char name[12]; int values[4]; struct { short a; char b; } inner; };

static void show(const struct record *r)
{
    printf("%s:", r->name);
    for (int i = 0; i < 4; i++)
        printf(" %d", r->values[i]);
    printf(" %d %c\n", r->inner.a, r->inner.b);
}

int main(void)
{
    struct record a = { "first", { 1, 2, 3, 4 }, { -9, 'z' } };
    struct record b = a, c;
    strcpy(b.name, "second");
    b.values[2] = 33;
    c = b;
    c.inner.b = 'c';
    show(&a);
    show(&b);
    show(&c);
    struct record *pa = &a, *pc = &c;
    *pa = *pc;
    pc->values[0] = 0;
    show(&a);
    struct record all[3];
    all[0] = all[1] = all[2] = b;
    all[1].values[3]++;
    show(&all[0]);
    show(&all[1]);
    a = a.values[0] ? c : b;
    return a.values[2] + all[1].values[3];
}
