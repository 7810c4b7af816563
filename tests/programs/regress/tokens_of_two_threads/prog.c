/* strtok keeps its place in a hidden variable that all threads share. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char one[] = "a b", two[] = "c d";

static void *splits(void *arg)
{
    strtok(two, " ");
    return arg;
}

int main(void)
{
    pthread_t t;
    char *second;

    pthread_create(&t, 0, splits, 0);
    strtok(one, " ");
    second = strtok(0, " ");
    pthread_join(t, 0);
    assert(second && *second == 'b');
    return 0;
}
