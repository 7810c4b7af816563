/* A fixed memory pool with an intrusive free list. */
#include <stdint.h>
#include <stdio.h>

union block { union block *next; char data[24]; };

static union block pool[4], *free_list;
static int in_use, peak;

static void pool_init(void)
{
    for (int i = 3; i >= 0; i--) {
        pool[i].next = free_list;
        free_list = &pool[i];
    }
}

static void *take(void)
{
    union block *b = free_list;
    if (!b)
        return NULL;
    free_list = b->next;
    if (++in_use > peak)
        peak = in_use;
    return b->data;
}

static void give(void *p)
{
    union block *b = p;
    b->next = free_list;
    free_list = b;
    in_use--;
}

static int number(const void *p) { return p ? (int)((const union block *)p - pool) : -1; }

int main(void)
{
    pool_init();
    void *a = take(), *b = take(), *c = take();
    printf("%d %d %d\n", number(a), number(b), number(c));
    give(b);
    give(a);
    void *d = take(), *e = take(), *f = take(), *g = take();
    printf("%d %d %d %d\n", number(d), number(e), number(f), number(g));
    snprintf(f, 24, "block %d", number(f));
    puts(f);
    give(c);
    printf("%d %d\n", in_use, peak);
    return number(take()) * 10 + peak;
}
