/* Quotients and shifts by an input that was narrowed down before an event, not in the same step. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int parts, work = 840;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
#if HOW == 0
    assert(work / parts >= 105 && work % parts <= 2 && (work >> parts) >= 3);
#elif HOW == 1 /* wrong for 2 */
    assert(work / parts != 420);
#elif HOW == 2 /* wrong for 2 */
    assert((1 << parts) - (1u << parts) == 0 && 1 << parts != 4);
#elif HOW == 3 /* wrong for 0 */
    work /= parts;
#endif
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    parts = __VERIFIER_nondet_int();
#if HOW == 3
    if (parts < 0 || parts > 8)
        return 0;
#elif HOW == 4 /* few, and far apart */
    if (parts != 2 && parts != 1000 && parts != -1000000)
        return 0;
#else
    if (parts < 1 || parts > 8)
        return 0;
#endif
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
#if HOW == 4
    assert(4000000 / parts % 4 == 0 && 4000000 % parts == 0);
#endif
    return 0;
}
