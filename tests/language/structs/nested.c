/* Structures inside structures, read and written through paths. */
#include <stdio.h>

struct point { int x, y; };
struct rect { struct point min, max; };
struct shape {
    char tag;
    struct rect bounds;
    struct { unsigned char r, g, b; } colour;
    short layer;
};

static int area(const struct rect *r)
{
    return (r->max.x - r->min.x) * (r->max.y - r->min.y);
}

int main(void)
{
    struct shape s = { 'q', { { 1, 2 }, { 5, 9 } }, { 10, 20, 30 }, -7 };
    printf("%c %d %d %d\n", s.tag, area(&s.bounds), s.colour.g, s.layer);
    s.bounds.min.x -= 3;
    struct point *p = &s.bounds.max;
    p->y *= 2;
    printf("%d\n", area(&s.bounds));
    struct rect old = s.bounds;
    s.bounds.min = s.bounds.max;
    printf("%d %d\n", area(&s.bounds), area(&old));
    s.colour.b = (unsigned char)(s.colour.b + 250);
    printf("%d %d\n", s.colour.r, s.colour.b);
    printf("%zu\n", sizeof s);
    return area(&old) % 100;
}
