#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int g,r; pthread_t t;
void *f(void *p){ int v=*(int*)p; r=v; g=5; return 0; }
void start(void){ int arg=1; pthread_create(&t,0,f,&arg); g=1; }
int main(void){ start(); g=2; pthread_join(t,0); assert(r==1); }
