/* sizeof and _Alignof of types and expressions, unevaluated operands. */
#include <stddef.h>
#include <stdio.h>

struct a { char c; };
struct b { char c; int i; };
struct c { char c; double d; char e; };
struct d { struct b b[2]; char tail; };
union u { char c[5]; int i; };
typedef int matrix[3][4];

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long));
    printf("%zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(long double), sizeof(void *));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c),
           sizeof(struct d), sizeof(union u));
    printf("%zu %zu %zu\n", _Alignof(struct a), _Alignof(struct c), _Alignof(union u));
    printf("%zu %zu %zu\n", _Alignof(char), _Alignof(double), _Alignof(max_align_t));
    printf("%zu\n", sizeof(matrix));
    int n = 1;
    size_t s = sizeof(n++);
    printf("%zu %d\n", s, n);
    char text[] = "seven..", *p = text;
    printf("%zu %zu %zu\n", sizeof text, sizeof p, sizeof *p);
    printf("%zu %zu\n", sizeof('a'), sizeof("a"));
    printf("%zu\n", sizeof((char)1 + (char)1));
    return (int)(sizeof(struct d) + sizeof(matrix));
}
