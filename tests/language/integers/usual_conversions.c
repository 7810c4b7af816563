/* The common type of binary operators and of the conditional operator. */
#include <stdio.h>

#define KIND(e) _Generic((e), int: "int", unsigned: "unsigned", long: "long", \
    unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", default: "other")

int main(void)
{
    char c = 1;
    short s = 2;
    unsigned short us = 3;
    int i = 4;
    unsigned u = 5;
    long l = 6;
    unsigned long ul = 7;
    long long ll = 8;
    float f = 9;
    printf("%s %s %s\n", KIND(c + c), KIND(s + us), KIND(i + u));
    printf("%s %s %s\n", KIND(u + l), KIND(l + ul), KIND(ul + ll));
    printf("%s %s %s\n", KIND(f + i), KIND(f + 1.0), KIND(l + f));
    printf("%s %s\n", KIND(c << ll), KIND(1 ? i : u));
    printf("%s %s\n", KIND(!l), KIND(l == ll));
    printf("%lld\n", (long long)(1 ? i - 5 : u));
    printf("%lld\n", (long long)(1 ? i - 5 : l));
    return (int)(c + s + us + i + u + l + ul + ll + f);
}
