#include <setjmp.h>
#include <stdio.h>

static jmp_buf place, outer;

static int depth(int n)
{
    int here[4] = {n, n, n, n};

    if (n == 0)
        longjmp(place, 7);
    return depth(n - 1) + here[n % 4];
}

static void fails(int code)
{
    longjmp(place, code);
}

static int guarded(volatile int *tries)
{
    int code = setjmp(place);

    printf("code %d tries %d\n", code, *tries);
    if (code == 3)
        return code;
    ++*tries;
    if (code == 0)
        fails(0);
    fails(code + 1);
    return -1;
}

int main(void)
{
    volatile int tries = 0, rounds = 0;
    int a = 5, b = 6;

    switch (setjmp(place)) {
    case 0:
        depth(5);
        printf("not here\n");
        break;
    case 7:
        printf("back %d\n", a + b);
        break;
    }
    printf("%d\n", guarded(&tries));
    if (setjmp(outer) < 3) {
        rounds++;
        printf("round %d\n", rounds);
        longjmp(outer, rounds);
    }
    sigjmp_buf with_mask;
    if (!sigsetjmp(with_mask, 1))
        siglongjmp(with_mask, 2);
    printf("end %d %d %d\n", tries, rounds, a * b);
    return 0;
}
