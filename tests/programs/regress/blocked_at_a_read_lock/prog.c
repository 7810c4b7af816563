/* What a thread waits for is seen by it while others pass it on. */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);

pthread_rwlock_t R = PTHREAD_RWLOCK_INITIALIZER;
void *b(void *p){ pthread_rwlock_rdlock(&R); assert(0); return 0; }
int main(){ pthread_t y; pthread_rwlock_wrlock(&R); pthread_create(&y,0,b,0); pthread_rwlock_unlock(&R); pthread_rwlock_wrlock(&R); return 0; }
