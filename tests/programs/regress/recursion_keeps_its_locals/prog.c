/* Each activation has locals of its own, of any size, which end with it; and is called through
 * a pointer, with any number of arguments. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int *left;
static int shared;

static int chain(int depth, int *outer, ...)
{
    va_list list;
    va_start(list, outer);
    int more = depth ? va_arg(list, int) : 0;
    va_end(list);
    int mine[depth + 1];
    for (int k = 0; k <= depth; k++) mine[k] = depth;
    if (!outer) left = mine;
    if (depth) *mine = chain(depth - 1, mine + depth, depth - 1);
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    if (outer) *outer += mine[depth] + more;
    return *mine + 1;
}

static int twice(int (*step)(int), int n);
static int step(int n) { return n > 1 ? twice(step, n - 1) : n + 1; }
static int twice(int (*step)(int), int n)
{
    int first = step(n);
    return first + step(n);
}

static void *run(void *depth)
{
    int sum = 0, given = chain((int)(long)depth, &sum, 10);
    assert(given == (long)depth + 1);
    return (void *)(long)sum;
}

int main(void)
{
    pthread_t other;
    void *sum;
    assert(step(3) == 8);
    pthread_create(&other, 0, run, (void *)2);
    int given = chain(1, 0, 5);
    assert(given == 2);
    pthread_join(other, &sum);
    assert((long)sum == 14 && shared == 5);
#ifdef GONE
    return *left;
#endif
}
