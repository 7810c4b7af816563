/* call_once and thread-specific storage. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int calls;

static void initialise(void)
{
    calls++;
    tss_create(&key, NULL);
}

static int run(void *arg)
{
    call_once(&flag, initialise);
    assert(tss_get(key) == NULL);
    assert(tss_set(key, arg) == thrd_success);
    assert(tss_get(key) == arg);
    return 0;
}

int main(void)
{
    thrd_t t[2];

    for (int i = 0; i < 2; i++)
        thrd_create(&t[i], run, &t[i]);
    for (int i = 0; i < 2; i++)
        thrd_join(t[i], NULL);
    assert(calls == 1);
    tss_delete(key);
    return 0;
}
