/* A race on a heap object that both threads reach over their own pointers. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static void *run(void *arg)
{
    struct node *node = arg;

    node->next->value++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);

    a->next = b;
    b->next = c;
    pthread_create(&t, NULL, run, a);
    MINE->value++;
    pthread_join(t, NULL);
    free(a);
    free(b);
    free(c);
    return 0;
}
