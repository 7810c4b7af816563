/* A signal inside an atomic section closes a circle. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER, M = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t C = PTHREAD_COND_INITIALIZER;
int w, f;
void *s(void *p) {
  pthread_mutex_lock(&M);
  pthread_mutex_lock(&L);
  w = 1;
  pthread_cond_wait(&C, &L);
  pthread_mutex_unlock(&L);
  pthread_mutex_unlock(&M);
  return 0;
}
void *t(void *p) {
  pthread_mutex_lock(&L);
  if (w) {
    f = 1;
    pthread_mutex_lock(&M);
    pthread_mutex_unlock(&M);
  }
  pthread_mutex_unlock(&L);
  return 0;
}
void *c(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    if (f) pthread_cond_signal(&C);
    __VERIFIER_atomic_end();
  }
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, s, 0);
  pthread_create(&b, 0, t, 0);
  pthread_create(&d, 0, c, 0);
  pthread_exit(0);
}
