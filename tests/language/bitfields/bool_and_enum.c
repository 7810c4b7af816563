/* _Bool and enumeration bit-fields. */
#include <stdbool.h>
#include <stdio.h>

enum level { LOW, MID, HIGH, TOP };

struct options {
    bool verbose : 1;
    bool quiet : 1;
    enum level level : 3;
    unsigned count : 4;
};

static void show(const struct options *o)
{
    printf("%d %d %d %u\n", o->verbose, o->quiet, (int)o->level, o->count);
}

int main(void)
{
    struct options o = { .level = MID };
    show(&o);
    o.verbose = 42;
    o.quiet = !o.verbose;
    o.level = TOP;
    show(&o);
    o.verbose ^= 1;
    while (o.level != LOW) {
        o.level = (enum level)(o.level - 1);
        o.count += 3;
    }
    show(&o);
    struct options copy = o;
    copy.quiet = o.count > 5;
    show(&copy);
    return o.count * 10 + copy.quiet;
}
