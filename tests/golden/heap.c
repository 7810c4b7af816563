#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *head;

static void *drop(void *unused)
{
    (void)unused;
    free(head);
    return NULL;
}

int main(void)
{
    pthread_t t;
    head = malloc(sizeof *head);
    head->next = NULL;
    head->value = 42;
    pthread_create(&t, NULL, drop, NULL);
    head->value++;
    pthread_join(t, NULL);
    return 0;
}
