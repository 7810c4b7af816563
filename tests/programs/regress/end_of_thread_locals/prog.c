/* The variables of a thread end with it, which others may see. */
#include <pthread.h>
int x, z, got; __thread int T; int *p;
void *t0(void *a) { p = &T; int r = x; return 0; }
void *t1(void *a) { if (z == 2) x = 1; return 0; }
void *t2(void *a) { got = T; return 0; }
int main(void) {
  pthread_t h[3];
  z = 2;
  pthread_create(&h[0], 0, t0, 0);
  if (p) { int v = *p; }                 /* t0 may have ended, and its T with it */
  pthread_create(&h[1], 0, t1, 0);
  pthread_create(&h[2], 0, t2, 0);
  return 0;
}
