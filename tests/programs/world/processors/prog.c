/* As many threads as there are processors, which do not change while the program runs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int count;

static void *work(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef FEW
    pthread_t threads[2];
#else
    pthread_t threads[4];
#endif

    assert(sysconf(_SC_PAGESIZE) == 4096);
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++)
        pthread_join(threads[i], NULL);
    assert(count == n && n >= 1);
    return 0;
}
