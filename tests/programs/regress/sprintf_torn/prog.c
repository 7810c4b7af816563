/* sprintf writes shared memory byte by byte. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[4];

static void *prints(void *arg)
{
    sprintf(text, "%d", 11);
    return arg;
}

int main(void)
{
    pthread_t t;
    char second, first, second_again;

    pthread_create(&t, 0, prints, 0);
    second = text[1];
    first = text[0];
    second_again = text[1];
    pthread_join(t, 0);
    assert(first == 0 ? second == 0 : second_again == '1');
    return 0;
}
