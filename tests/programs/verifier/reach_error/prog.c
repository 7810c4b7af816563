/* reach_error is the error, whatever its body says. */
#include <pthread.h>
#include <stddef.h>

void abort(void);
void reach_error(void) {}

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    if (x == EXPECTED) {
        reach_error();
        abort();
    }
    pthread_join(t, NULL);
    return 0;
}
