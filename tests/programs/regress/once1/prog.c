#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x; pthread_once_t o=PTHREAD_ONCE_INIT; pthread_t a;
void *f(void *q){ int t=x; x=t+1; return 0; }
void start(void){ pthread_create(&a,0,f,0); }
int main(void){ pthread_once(&o,start); int t=x; x=t+1; pthread_join(a,0); assert(x==2); }
