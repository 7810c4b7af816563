/* Structures of function pointers used as objects. */
#include <stdio.h>

struct shape;
struct ops { int (*area)(const struct shape *); void (*grow)(struct shape *, int); const char *name; };
struct shape { const struct ops *ops; int a, b; };

static int rect_area(const struct shape *s) { return s->a * s->b; }
static int tri_area(const struct shape *s) { return s->a * s->b / 2; }
static void grow_both(struct shape *s, int k) { s->a += k; s->b += k; }
static void grow_base(struct shape *s, int k) { s->a += k; }

static const struct ops rect = { rect_area, grow_both, "rect" };
static const struct ops tri = { .name = "tri", .grow = grow_base, .area = tri_area };

int main(void)
{
    struct shape shapes[] = { { &rect, 2, 3 }, { &tri, 6, 4 }, { &rect, 5, 5 } };
    int total = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++) {
            struct shape *s = &shapes[i];
            int a = s->ops->area(s);
            printf("%s %d\n", s->ops->name, a);
            total += a;
            s->ops->grow(s, round + 1);
        }
    shapes[0].ops = shapes[1].ops;
    printf("%d\n", shapes[0].ops->area(shapes));
    return total;
}
