/* Running an exit handler depends on what others register. */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int v;
void h1(void) { v = 1; }
void h2(void) { int s = v; assert(s == 1); }
void *t(void *p) { int s = v; atexit(h2); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, t, 0);
  atexit(h1);
  exit(0);
}
