/* Sets of flags kept in an enum-indexed word. */
#include <stdio.h>

enum permission { READ = 1, WRITE = 2, EXECUTE = 4, ALL = READ | WRITE | EXECUTE };
enum day { MON, TUE, WED, THU, FRI, SAT, SUN, DAYS };

static const char *const day_names[DAYS] = {
    [SUN] = "Sun", [MON] = "Mon", [WED] = "Wed", [TUE] = "Tue",
    [FRI] = "Fri", [SAT] = "Sat", [THU] = "Thu",
};

static void show(unsigned p)
{
    putchar(p & READ ? 'r' : '-');
    putchar(p & WRITE ? 'w' : '-');
    putchar(p & EXECUTE ? 'x' : '-');
    putchar('\n');
}

int main(void)
{
    unsigned p = READ | EXECUTE;
    show(p);
    p |= WRITE;
    show(p);
    p &= ~(unsigned)READ;
    show(p);
    p ^= ALL;
    show(p);
    unsigned weekend = 1u << SAT | 1u << SUN;
    for (enum day d = MON; d < DAYS; d++)
        if (!(weekend >> d & 1))
            printf("%s ", day_names[d]);
    putchar('\n');
    return (int)weekend;
}
