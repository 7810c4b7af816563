/* The object is a byte smaller than its type. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    void *object = malloc(31);

    pthread_barrier_init(object, 0, 2);
    return 0;
}
