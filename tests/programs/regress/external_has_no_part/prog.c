/* The program calls a function that nobody defines, but the error needs no value from it. */
#include <assert.h>
#include <pthread.h>

extern int ask(void);
static int x;

static void *adds(void *arg)
{
    int answer = ask();

    x++;
    return answer ? arg : 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, adds, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
