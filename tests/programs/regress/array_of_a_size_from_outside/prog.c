/* Arrays that are as long as an argument says: they end with their function, or with their block. */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static int *left;

static void *fill(void *count)
{
    long n = (long)count;
    int sum = 0, *more = alloca(2 * sizeof *more);
    int numbers[n];
    for (int k = 0; k < n; k++) numbers[k] = k;
    more[0] = n;
    for (int k = 0; k < n; k++) sum += numbers[k];
    for (int k = 1; k < 3; k++) {
        int inner[k];
        inner[k - 1] = more[0];
        sum += inner[k - 1];
    }
    return (void *)(long)sum;
}

static int helper(int n)
{
    int mine[n];
    mine[n - 1] = n;
    left = mine;
    return mine[n - 1];
}

int main(void)
{
    int count = helper(1) + helper(1);
    pthread_t threads[count];
    void *sum;
    for (long k = 0; k < count; k++) pthread_create(&threads[k], 0, fill, (void *)(k + 2));
    pthread_join(threads[0], &sum);
    assert((long)sum == 1 + 4);
    pthread_join(threads[1], &sum);
    assert((long)sum == 3 + 6);
#ifdef GONE
    return *left; /* it has ended with its function */
#endif
}
