#include <pthread.h>
#include <semaphore.h>
sem_t s; int z;
void *t(void *a) { while (sem_trywait(&s)) ; return 0; }
typedef void *(*F)(void *);
F g = t, h;
int main(void) {
  for (int i = 0; i < 8; i++) { char c = ((char *)&g)[i]; ((char *)&h)[i] = c; }
  pthread_t u; sem_init(&s, 0, 0);
  pthread_create(&u, 0, h, 0); pthread_join(u, 0); return 0;
}
