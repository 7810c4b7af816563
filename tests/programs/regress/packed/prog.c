#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

uintptr_t w; int d;
void *f(void *a){ int *q=(int*)(w>>8); int t=*q; *q=t+1; return 0; }
int main(void){ int *p=malloc(4); *p=0; w=((uintptr_t)p<<8)|1; p=0; pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(*(int*)(w>>8)==2); }
