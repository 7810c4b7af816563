/* A thread is given a number that nobody knows. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void *one(void *arg) { g = (int)(long)arg; return 0; }
int main(void) {
    pthread_t a;
    int x = __VERIFIER_nondet_int();
    pthread_create(&a, 0, one, (void *)(long)x);
    pthread_join(a, 0);
    assert(g == x);
    return 0;
}
