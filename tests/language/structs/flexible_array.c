/* Flexible array members allocated with malloc and grown with realloc. */
#include <stdio.h>
#include <stdlib.h>

struct vec {
    size_t len, cap;
    short data[];
};

static struct vec *push(struct vec *v, short x)
{
    if (v->len == v->cap) {
        v->cap *= 2;
        v = realloc(v, sizeof *v + v->cap * sizeof v->data[0]);
        if (!v)
            exit(120);
    }
    v->data[v->len++] = x;
    return v;
}

int main(void)
{
    struct vec *v = malloc(sizeof *v + 2 * sizeof(short));
    if (!v)
        return 121;
    v->len = 0;
    v->cap = 2;
    for (int i = 0; i < 11; i++)
        v = push(v, (short)(i * i - 20));
    long sum = 0;
    for (size_t i = 0; i < v->len; i++) {
        printf("%d ", v->data[i]);
        sum += v->data[i];
    }
    printf("\n%zu/%zu sum %ld sizeof %zu\n", v->len, v->cap, sum, sizeof *v);
    int status = (int)v->cap + (int)(sum % 50);
    free(v);
    return status;
}
