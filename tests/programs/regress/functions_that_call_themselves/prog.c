/* Trees are grown and walked by functions that call themselves, in two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct tree { struct tree *left, *right; int depth; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static struct tree *grow(int depth)
{
    if (!depth) return 0;
    struct tree *made = malloc(sizeof *made);
    made->depth = depth;
    made->left = grow(depth - 1);
    made->right = grow(depth - 1);
    return made;
}

static int even(int n);
static int odd(int n) { return n ? even(n - 1) : 0; }
static int even(int n) { return n ? odd(n - 1) : 1; }

static int walk(struct tree *tree)
{
    if (!tree) return 0;
    int mine = tree->depth; /* is still there when the others have moved */
    pthread_mutex_lock(&lock);
    total += mine;
    pthread_mutex_unlock(&lock);
    int sum = walk(tree->left) + mine;
    sum += walk(tree->right);
    free(tree);
    return sum;
}

static void *run(void *depth) { return (void *)(long)walk(grow((int)(long)depth)); }

int main(void)
{
    pthread_t one, two;
    void *sum;
    assert(even(4) && odd(3) && !odd(2));
    pthread_create(&one, 0, run, (void *)2);
    pthread_create(&two, 0, run, (void *)1);
    pthread_join(one, &sum);
    assert((long)sum == 4);
    pthread_join(two, &sum);
    assert((long)sum == 1 && total == 5);
#ifdef DEEP
    assert(even(41)); /* deeper than there are copies */
#endif
}
