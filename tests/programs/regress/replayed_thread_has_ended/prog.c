/* A counterexample must not let a thread move that has ended. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int g0 = 1;
static void *thread0(void *arg) { while (g0 > 2) ; return 0; }
int main(void) {
    pthread_t t;
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(2 <= x && x <= 2);
    g0 = x;
    pthread_create(&t, 0, thread0, 0);
    pthread_join(t, 0);
    return 0;
}
