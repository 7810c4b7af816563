/* Two threads wait for each other for one input only. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int g;
static void *one(void *arg) {
    int x = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m[x]);
    pthread_mutex_unlock(&m[x]);
    pthread_mutex_unlock(&n);
    return 0;
}
static void *two(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m[0]);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    return 0;
}
