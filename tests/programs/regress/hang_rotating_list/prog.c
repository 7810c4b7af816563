/* Two equal nodes change their places in each round, in a list that only the polling thread uses. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static int stop;

static void *rotates(void *arg)
{
    for (;;) {
        struct node *first;

        pthread_mutex_lock(&m);
        if (stop) {
            pthread_mutex_unlock(&m);
            return arg;
        }
        first = head;
        head = first->next;
        head->next = first;
        first->next = 0;
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    pthread_t t;
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);

    a->next = b;
    head = a;
    pthread_create(&t, 0, rotates, 0);
    pthread_join(t, 0);
    return 0;
}
