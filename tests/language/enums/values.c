/* Enumerators with implicit, explicit and negative values. */
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, DARK = -3, DARKER, NONE = 0 };
enum { ANONYMOUS = 'z', NEXT };
typedef enum { A = 1 << 4, B = A << 1, C = A | B } masks;

static const char *name(enum colour c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case DARK: return "dark";
    case DARKER: return "darker";
    }
    return "?";
}

int main(void)
{
    enum colour cs[] = { RED, GREEN, BLUE, DARK, DARKER, NONE };
    for (int i = 0; i < 6; i++)
        printf("%d %s\n", (int)cs[i], name(cs[i]));
    printf("%c %d\n", ANONYMOUS, NEXT);
    masks m = C;
    printf("%d %zu\n", (int)m, sizeof m);
    enum colour sum = (enum colour)(GREEN + BLUE + DARK);
    printf("%d\n", (int)sum);
    return (int)m + DARK;
}
