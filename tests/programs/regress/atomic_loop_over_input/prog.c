/* A loop over an input in an atomic section ends as soon as the input says so. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int g;
static void *one(void *arg) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= x && x <= 2);
    g = 1;
    __VERIFIER_atomic_begin();
    for (int i = 0; i < x; i++) assert(g != 3);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    g = 2;
    return 0;
}
