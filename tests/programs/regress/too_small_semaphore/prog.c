/* The object is a byte smaller than its type. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    void *object = malloc(31);

    sem_init(object, 0, 1);
    return 0;
}
