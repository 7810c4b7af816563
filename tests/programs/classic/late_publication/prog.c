/* The worker uses a table that main publishes after starting it: right whenever main is faster. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int numbers[2] = {3, 4};
static int *_Atomic table;
static int result;

static void *worker(void *arg)
{
    int *t = table;

    (void)arg;
    result = t[0] + t[1];
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    table = numbers;
    pthread_join(t, NULL);
    return result == 7 ? 0 : 1;
}
