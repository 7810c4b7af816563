/* One thread writes a struct as one word, the other one its upper half. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair { uint32_t low, high; };
static struct pair kept = {5, 0x80000000};

static void *upper(void *unused)
{
    __atomic_store_n(&kept.high, 0x90000000, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, upper, 0);
    uint64_t old = __atomic_load_n((uint64_t *)&kept, __ATOMIC_SEQ_CST);
    __atomic_store_n((uint64_t *)&kept, old + 1, __ATOMIC_SEQ_CST);
    pthread_join(other, 0);
    assert(kept.low == 6);
    assert(kept.high == 0x90000000); /* lost between the load and the store */
}
