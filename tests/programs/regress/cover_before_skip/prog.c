/* A node that covers another before it is expanded must not leave steps out. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int flag, e, h;
static void *one(void *arg) {
    __VERIFIER_atomic_begin(); flag = 1; e = e + 7; __VERIFIER_atomic_end();
    return 0;
}
static void *two(void *arg) {
    while (!flag) h = e;
    return 0;
}
int main(void) {
    pthread_t a, b;
    e = __VERIFIER_nondet_int();
    __VERIFIER_assume(e == 0);
    h = e;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    int x = h; int y = flag; assert(x != 7);
    return 0;
}
