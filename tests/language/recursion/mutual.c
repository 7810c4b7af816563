/* Mutually recursive functions: parity and Hofstadter sequences. */
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

int main(void)
{
    printf("%d %d %d %d\n", is_even(10), is_odd(10), is_even(7), is_odd(0));
    int sum = 0;
    for (int i = 0; i < 9; i++) {
        printf("%d/%d ", female(i), male(i));
        sum += female(i) * male(i);
    }
    putchar('\n');
    return sum;
}
