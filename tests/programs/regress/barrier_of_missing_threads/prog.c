/* Threads that --max-threads leaves out may be those that the others wait for: that is no deadlock,
   and no livelock. Two locks in both orders are one, whoever is missing. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static atomic_int here;

static void cross(void)
{
#ifdef SPINS
    atomic_fetch_add(&here, 1);
    while (here < THREADS)
        ;
#else
    pthread_mutex_lock(&mutex);
    if (++here == THREADS)
        pthread_cond_broadcast(&all_here);
    while (here < THREADS)
        pthread_cond_wait(&all_here, &mutex);
    pthread_mutex_unlock(&mutex);
#endif
}

static void *work(void *unused)
{
#ifdef CIRCLE
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&second);
#endif
    cross();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS - 1];

    for (int i = 0; i < THREADS - 1; i++)
        pthread_create(&threads[i], NULL, work, NULL);
#ifdef CIRCLE
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&mutex);
#endif
    cross();
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
