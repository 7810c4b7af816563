/* One thread writes a number, the other one its halves, the same bytes: nobody changes anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static union { uint64_t whole; uint32_t half[2]; } cell;
static uint64_t number = 0x0000000500000007;

static void *write_whole(void *unused)
{
    while (!stop) {
        pthread_mutex_lock(&mutex);
        cell.whole = number;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    cell.whole = number;
    pthread_create(&thread, NULL, write_whole, NULL);
    while (!stop) {
        pthread_mutex_lock(&mutex);
        cell.half[0] = 7;
        cell.half[1] = 5;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
}
