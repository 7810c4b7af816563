/* A loop over what is not known comes back to an access, which everybody can see. */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);

int shared; 
void *a(void *p){ int i=0,c=0,v; do { v = shared; if (v==7) c++; i++; } while(i<2); assert(c!=1); return 0; }
void *b(void *p){ shared=7; return 0; }
int main(){ pthread_t x,y; shared=__VERIFIER_nondet_int(); pthread_create(&x,0,a,0); pthread_create(&y,0,b,0); pthread_join(x,0); pthread_join(y,0); return 0; }
