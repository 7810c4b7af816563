/* A post beyond the largest value fails, and leaves the value as it is. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void)
{
    sem_t sem;
    int value;

    sem_init(&sem, 0, INT_MAX);
    assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
    sem_getvalue(&sem, &value);
    assert(value == INT_MAX);
    return 0;
}
