/* pthread_setcancelstate stores an int behind the end of an array. */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, old + 1);
    free(old);
    return 0;
}
