/* An enum walked cyclically, indexing tables of enums. */
#include <stdio.h>

typedef enum { NORTH, EAST, SOUTH, WEST } heading;

static heading right(heading h) { return (heading)((h + 1) % 4); }
static heading left(heading h) { return (heading)((h + 3) % 4); }
static heading opposite(heading h)
{
    static const heading table[] = { SOUTH, WEST, NORTH, EAST };
    return table[h];
}

int main(void)
{
    static const int dx[] = { 0, 1, 0, -1 }, dy[] = { 1, 0, -1, 0 };
    int x = 0, y = 0;
    heading h = NORTH;
    for (const char *p = "FFRFFFRFLFFBF"; *p; p++) {
        if (*p == 'R')
            h = right(h);
        else if (*p == 'L')
            h = left(h);
        else if (*p == 'B')
            h = opposite(h);
        else {
            x += dx[h];
            y += dy[h];
        }
    }
    printf("at %d,%d facing %d\n", x, y, (int)h);
    return (x + 5) * 10 + y;
}
