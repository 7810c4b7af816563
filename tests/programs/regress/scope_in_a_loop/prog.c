/* A local of a loop's body is handed to a thread and comes into scope again: the program is right. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *arg)
{
    sum += *(int *)arg;
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int mine = i + 1;
        pthread_t t;

        pthread_create(&t, 0, add, &mine);
        pthread_join(t, 0);
    }
    assert(sum == 3);
    return 0;
}
