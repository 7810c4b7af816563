/* The text that sscanf reads is written meanwhile, and the result lands in shared memory. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[4] = "11";
static int number;

static void *scans(void *arg)
{
    sscanf(text, "%d", &number);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, scans, 0);
    text[0] = '2';
    text[1] = '2';
    pthread_join(t, 0);
    assert(number == 11 || number == 22);
    return 0;
}
