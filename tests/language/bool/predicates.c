/* Functions returning _Bool, and pointers to _Bool. */
#include <stdbool.h>
#include <stdio.h>

static bool even(unsigned n) { return n % 2 == 0; }
static bool both(bool a, bool b) { return a && b; }
static bool either(bool a, bool b) { return a || b; }
static bool differ(bool a, bool b) { return a != b; }
static void toggle(bool *p) { *p = !*p; }

int main(void)
{
    bool (*const table[])(bool, bool) = { both, either, differ };
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 4; i++)
            printf("%d", table[t](i & 1, i & 2));
        putchar('\n');
    }
    bool state = even(10);
    toggle(&state);
    printf("%s\n", state ? "true" : "false");
    int count = 0;
    for (unsigned i = 0; i < 9; i++) {
        toggle(&state);
        count += even(i) && state;
    }
    printf("%d\n", count);
    return count + 40;
}
