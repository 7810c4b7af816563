#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

struct S { int *p; long a,b,c; };
_Atomic struct S g; int x;
void *f(void *q){ struct S e={0,1,1,1}; struct S n={0,0,0,0}; atomic_compare_exchange_strong(&g,&e,n); int t=*e.p; *e.p=t+1; return 0; }
int main(void){ struct S s={&x,0,0,0}; atomic_store(&g,s); pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(x==2); }
