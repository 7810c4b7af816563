/* One thread writes a float, the other one its bits: nobody changes anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static union { double number; uint64_t bits; } cell;
static uint64_t one = 0x3ff0000000000000;

static void *write_number(void *unused)
{
    while (!stop) {
        pthread_mutex_lock(&mutex);
        cell.number = 1.0;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    cell.number = 1.0;
    pthread_create(&thread, NULL, write_number, NULL);
    while (!stop) {
        pthread_mutex_lock(&mutex);
        cell.bits = one;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
}
