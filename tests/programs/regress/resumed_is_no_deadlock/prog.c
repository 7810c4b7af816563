/* Threads that wait for one that reads inputs for ever are no deadlock. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    while (1) { int x = __VERIFIER_nondet_bool(); }
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
