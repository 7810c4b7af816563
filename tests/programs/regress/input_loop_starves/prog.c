#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int x;
void *b(void*p){ assert(x==0); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,b,0); x=1; int n=0; for(;;){ if(__VERIFIER_nondet_bool()) n=1; else n=0; } return 0; }
