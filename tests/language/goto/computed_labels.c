/* GNU labels as values: a threaded-code interpreter. */
#include <stdio.h>

static int run(const unsigned char *code)
{
    static const void *const labels[] = { &&halt, &&push, &&add, &&mul, &&dup, &&loop };
    int stack[16], sp = 0, counter = 3;
    const unsigned char *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push:
    stack[sp++] = *pc++;
    NEXT;
add:
    sp--;
    stack[sp - 1] += stack[sp];
    NEXT;
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    NEXT;
dup:
    stack[sp] = stack[sp - 1];
    sp++;
    NEXT;
loop:
    if (--counter > 0)
        pc = code + *pc;
    else
        pc++;
    NEXT;
halt:
    return stack[sp - 1];
}

int main(void)
{
    static const unsigned char square[] = { 1, 7, 4, 3, 1, 5, 2, 0 };
    static const unsigned char doubling[] = { 1, 11, 4, 2, 5, 2, 0 };
    int a = run(square), b = run(doubling);
    printf("%d %d\n", a, b);
    return a + b / 2;
}
