/* Compound literals of structure, array and scalar type. */
#include <stdio.h>

struct node { int value; const struct node *next; };
struct opt { int width, height; const char *title; };

static const int *global_array = (const int[]){ 3, 1, 4, 1, 5 };

static int total(const struct node *n)
{
    int t = 0;
    for (; n; n = n->next)
        t = t * 10 + n->value;
    return t;
}

static int open_window(struct opt o)
{
    printf("%s %dx%d\n", o.title ? o.title : "untitled", o.width, o.height);
    return o.width * o.height;
}

int main(void)
{
    int t = total(&(struct node){ 1, &(struct node){ 2, &(struct node){ 3, 0 } } });
    printf("%d\n", t);
    int a = open_window((struct opt){ .width = 4, .height = 5 });
    a += open_window((struct opt){ .title = "main", .height = 2 });
    int *p = (int[]){ 10, 20, 30 };
    p[1]++;
    printf("%d %d\n", p[1], global_array[4]);
    int *q = &(int){ 42 };
    ++*q;
    char *s = (char[]){ "mutable" };
    s[0] = 'M';
    printf("%d %s\n", *q, s);
    return a + *q + p[1];
}
