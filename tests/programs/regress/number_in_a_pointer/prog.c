/* An unknown number is carried in a pointer. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static int a[4];
static void *id(void *arg) { g = 1; return arg; }
static void *one(void *arg) { g = 2; return 0; }
int main(void) {
    pthread_t t;
    int x = __VERIFIER_nondet_int();
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    pthread_create(&t, 0, one, 0);
    int u = (int)(long)id((void *)(long)x);
    a[i] = u;
    int y = a[i];
    assert(y < 5);
    return 0;
}
