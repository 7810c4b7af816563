/* What a thread waits for is seen by it while others pass it on. */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);

sem_t S;
void *a(void *p){ sem_post(&S); sem_wait(&S); return 0; }
void *b(void *p){ sem_wait(&S); assert(0); return 0; }
int main(){ pthread_t x,y; sem_init(&S,0,0); pthread_create(&x,0,a,0); pthread_create(&y,0,b,0); for(;;); return 0; }
