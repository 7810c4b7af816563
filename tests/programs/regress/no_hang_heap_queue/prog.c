/* Items go from one thread to the other for ever: one makes them, the other one frees them. */
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct item *head, *tail;
static int stop, count;

static void *produces(void *arg)
{
    while (!stop) {
        pthread_mutex_lock(&m);
        if (count < 2) {
            struct item *made = malloc(sizeof *made);

            made->next = 0;
            if (tail)
                tail->next = made;
            else
                head = made;
            tail = made;
            count++;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *consumes(void *arg)
{
    while (!stop) {
        pthread_mutex_lock(&m);
        if (head) {
            struct item *taken = head;

            head = taken->next;
            if (!head)
                tail = 0;
            free(taken);
            count--;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, 0, produces, 0);
    pthread_create(&c, 0, consumes, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
