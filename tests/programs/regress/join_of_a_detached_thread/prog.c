/* Who joins a thread has to know that nobody has detached it. */
#include <pthread.h>
#include <assert.h>
int flag, g; pthread_t x;
void *a(void *p) { flag = 1; return 0; }
void *b(void *p) { if (g && flag) pthread_detach(x); return 0; }
int main(void) {
  pthread_t y;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, b, 0);
  pthread_t h = x;
  g = 1;
  int r = pthread_join(h, 0);   /* b may have detached it */
  g = 2;
  assert(r == 0);
  return 0;
}
