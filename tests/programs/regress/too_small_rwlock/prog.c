/* The object is a byte smaller than its type. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    void *object = malloc(55);

    pthread_rwlock_init(object, 0);
    return 0;
}
