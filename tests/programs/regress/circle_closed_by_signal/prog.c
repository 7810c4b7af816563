/* A signal can close a circle of threads that wait for each other. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int g;
static void *A(void *arg) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); 
   pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }
static void *B(void *arg) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
static void *C(void *arg) { pthread_cond_signal(&c); return 0; }
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, A, 0);
    pthread_create(&t[1], 0, B, 0);
    pthread_create(&t[2], 0, C, 0);
    return 0;
}
