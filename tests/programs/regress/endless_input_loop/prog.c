/* A thread that reads inputs for ever must not keep the others out. */
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int g;
static void *one(void *arg) {
    g = 1;
    while (1) { int x = __VERIFIER_nondet_bool(); }
    return 0;
}
static void *two(void *arg) { assert(g == 0); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    return 0;
}
