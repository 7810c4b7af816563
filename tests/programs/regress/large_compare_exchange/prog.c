/* Whether a large compare-exchange succeeds depends on inputs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
struct S { long a, b, c; };
static _Atomic struct S s;
static void *one(void *arg) { struct S z = {0,0,0}; s = z; return 0; }
int main(void) {
    pthread_t t;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    struct S x = {i, 1, 2}, y = {j, 1, 2}, n = {5, 5, 5};
    s = x;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    s = x;
    _Bool r = atomic_compare_exchange_strong(&s, &y, n);
    assert(!r);
    return 0;
}
