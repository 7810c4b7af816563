/* A struct is written between the read and the write of its copy. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct S { int a, b; };
static struct S s, d;
static int k = 1;
static void *one(void *arg) {
    int v = __VERIFIER_nondet_int();
    __VERIFIER_assume(v == 9);
    s.a = v;
    k = d.a;
    return 0;
}
int main(void) {
    pthread_t t;
    int u = __VERIFIER_nondet_int();
    __VERIFIER_assume(u == 5);
    s.a = u;
    pthread_create(&t, 0, one, 0);
    d = s;
    pthread_join(t, 0);
    assert(!(k == 0 && d.a == 5));
    return 0;
}
