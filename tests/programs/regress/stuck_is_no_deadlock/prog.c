/* A thread in an endless local loop is not deadlocked. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int g1 = 1;
static void *thread0(void *arg) { while (g1 < 1) ; return 0; }
int main(void) {
    pthread_t t;
    g1 = __VERIFIER_nondet_int();
    pthread_create(&t, 0, thread0, 0);
    pthread_join(t, 0);
    return 0;
}
