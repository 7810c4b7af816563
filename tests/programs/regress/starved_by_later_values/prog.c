/* A thread that can move only for values that later rounds bring must not starve. */
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int g, h;
static void *one(void *arg) { while (1) g = (g + 1) % 20; return 0; }
static void *two(void *arg) {
    while (1) { __VERIFIER_atomic_begin(); __VERIFIER_assume(g == 17); h = 1; __VERIFIER_atomic_end(); }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    return 0;
}
