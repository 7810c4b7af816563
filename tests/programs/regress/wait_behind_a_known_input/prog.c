/* The consumer waits only if the producer has not produced, whatever the input. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int n;
static void *cons(void *p) {
    pthread_mutex_lock(&m); if (n == 0) pthread_cond_wait(&c, &m); assert(n > 0); pthread_mutex_unlock(&m); return 0;
}
int main(void) {
    pthread_t a; int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k > 0);
    pthread_create(&a, 0, cons, 0);
    pthread_mutex_lock(&m); n = k; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
