#include <pthread.h>
#include <assert.h>
#include <stdint.h>
uint32_t lo,hi;
void *w(void*a){ int *q=(int*)(((uintptr_t)hi<<32)|lo); *q=1; *q=2; return 0; }
int main(){ int x=0; pthread_t t; uintptr_t v=(uintptr_t)&x; lo=(uint32_t)v; hi=(uint32_t)(v>>32); pthread_create(&t,0,w,0); assert(x!=1); pthread_join(t,0); return 0; }
