/* Structs in registers, of which not all bytes have been written, and a word-wise copy. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct padded { char c; int i; };
struct half { int a, b; };
struct wide { char c; long l; char d; };
union either { int i; char c; };

static struct padded add(struct padded x) { x.c++; return x; }
static int first(struct half x) { return x.a; }
static struct half make(void) { struct half r; r.a = 1; return r; }
static struct wide same(struct wide x) { return x; }
static union either one(void) { union either u; u.c = 3; return u; }

static void *work(void *arg)
{
    struct padded p;
    struct wide w;
    char from[8], to[8];
    uint64_t word;

    p.c = 1;
    p.i = 2;
    p = add(p);
    assert(p.c == 2 && p.i == 2);
    assert(make().a == 1 && first(make()) == 1);
    w.c = 4;
    w.l = 5;
    w.d = 6;
    w = same(w);
    assert(w.c == 4 && w.l == 5 && w.d == 6);
    assert(one().c == 3);
    from[0] = 'x';
    memcpy(&word, from, 8);
    memcpy(to, &word, 8);
    assert(to[0] == 'x' && (word & 0xff) == 'x');
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
