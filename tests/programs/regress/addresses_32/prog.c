#include <pthread.h>
#include <assert.h>
#include <stdint.h>
int K, x;
void*w(void*a){ uintptr_t i=(uintptr_t)&x^(uintptr_t)&K; int*v=(int*)(i^(uintptr_t)&K); *v=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); assert(x!=1); return 0; }
