#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x;
void *f(void *q){ char *z=0; uintptr_t u=(uintptr_t)&x; int *p=(int*)(z+u); int t=*p; *p=t+1; return 0; }
int main(void){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(x==2); }
