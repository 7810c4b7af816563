/* Forward jumps to a chain of clean-up labels. */
#include <stdio.h>
#include <stdlib.h>

static int work(int fail_at)
{
    int status = -1;
    char *a = NULL, *b = NULL;
    if (fail_at == 0)
        goto out;
    a = malloc(4);
    if (!a || fail_at == 1)
        goto free_a;
    b = calloc(2, 8);
    if (!b || fail_at == 2)
        goto free_b;
    a[0] = 'k';
    status = a[0] + b[15];
free_b:
    printf("free b ");
    free(b);
free_a:
    printf("free a ");
    free(a);
out:
    printf("out %d\n", status);
    return status;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += work(i);
    return sum;
}
