/* Pointers to members, elements and offsets computed with offsetof. */
#include <stddef.h>
#include <stdio.h>

struct config { char flag; int width; short depth; double ratio; };

static const struct { const char *name; size_t offset; char kind; } fields[] = {
    { "flag", offsetof(struct config, flag), 'c' },
    { "width", offsetof(struct config, width), 'i' },
    { "depth", offsetof(struct config, depth), 's' },
    { "ratio", offsetof(struct config, ratio), 'd' },
};

static void bump(int *p) { *p += 100; }

int main(void)
{
    struct config c = { 'y', 640, -8, 1.25 };
    bump(&c.width);
    short *d = &c.depth;
    *d *= 3;
    for (int i = 0; i < 4; i++) {
        const void *p = (const char *)&c + fields[i].offset;
        printf("%s@%zu=", fields[i].name, fields[i].offset);
        switch (fields[i].kind) {
        case 'c': printf("%c\n", *(const char *)p); break;
        case 'i': printf("%d\n", *(const int *)p); break;
        case 's': printf("%d\n", *(const short *)p); break;
        case 'd': printf("%.2f\n", *(const double *)p); break;
        }
    }
    return c.width % 100 - c.depth;
}
