/* Tag bits kept in the low bits of aligned pointers. */
#include <stdint.h>
#include <stdio.h>

struct cell { uintptr_t left, right; };

static uintptr_t number(long n) { return (uintptr_t)n << 1 | 1; }
static uintptr_t cell(struct cell *c) { return (uintptr_t)c; }
static int is_number(uintptr_t v) { return v & 1; }
static long value(uintptr_t v) { return (intptr_t)v >> 1; }
static struct cell *deref(uintptr_t v) { return (struct cell *)(v & ~(uintptr_t)7); }

static long sum(uintptr_t v)
{
    if (is_number(v))
        return value(v);
    struct cell *c = deref(v);
    long s = sum(c->left) + sum(c->right);
    return v & 2 ? -s : s;
}

int main(void)
{
    struct cell a = { number(5), number(-12) };
    struct cell b = { cell(&a), number(30) };
    struct cell c = { cell(&b), cell(&a) | 2 };
    printf("%ld %ld %ld\n", sum(cell(&a)), sum(cell(&b)), sum(cell(&c)));
    printf("%ld\n", sum(cell(&c) | 2));
    uintptr_t t = cell(&b) | 4;
    printf("%d %d\n", (int)(t & 7), deref(t) == &b);
    return (int)sum(cell(&c));
}
